-- Which endpoints an application calls, by class of the status. Written in batches, so that requests write nothing.
CREATE TABLE "endpoint_usage" (
  "client_id" varchar(256) NOT NULL,
  -- Of UTC.
  "day"       date         NOT NULL,
  -- Method and route, such as `GET /api/v2.0/users/show`; never a path that a client chose.
  "endpoint"  varchar(100) NOT NULL,
  -- 2xx and 3xx.
  "succeeded" bigint       NOT NULL DEFAULT 0,
  -- 4xx.
  "rejected"  bigint       NOT NULL DEFAULT 0,
  -- 5xx.
  "failed"    bigint       NOT NULL DEFAULT 0,

  CONSTRAINT "endpoint_usage_pkey" PRIMARY KEY ("client_id", "day", "endpoint"),
  CONSTRAINT "endpoint_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "endpoint_usage_counts_check" CHECK ("succeeded" >= 0 AND "rejected" >= 0 AND "failed" >= 0)
);

-- The sweep of old days.
CREATE INDEX "endpoint_usage_day_idx" ON "endpoint_usage" ("day");
