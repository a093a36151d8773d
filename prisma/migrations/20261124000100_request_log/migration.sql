-- Why requests of an application were refused, for its owner; rows live 7 days.

CREATE TYPE "request_failure_kind" AS ENUM ('redirect_uri', 'credentials', 'code', 'refresh_token', 'pkce', 'scope', 'person', 'request');

CREATE TABLE "request_log" (
  "id"         bigint                 NOT NULL DEFAULT next_id(),
  "at"         timestamptz(3)         NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "client_id"  varchar(64)            NOT NULL,
  "kind"       "request_failure_kind" NOT NULL,
  "endpoint"   varchar(40)            NOT NULL,
  -- The code that the application was answered.
  "error"      varchar(64)            NOT NULL,
  -- Never a secret, a code, a token or a state.
  "reason"     varchar(300)           NOT NULL,
  -- Of a wrong return address: the one that was sent, and the one it is nearest to.
  "presented"  varchar(2048),
  "registered" varchar(2048),

  CONSTRAINT "request_log_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "request_log_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "request_log_presented_check" CHECK ("kind" = 'redirect_uri' OR ("presented" IS NULL AND "registered" IS NULL))
);

-- The application's page; how many an application has had in the last minute; deleting an application.
CREATE INDEX "request_log_client_id_at_idx" ON "request_log" ("client_id", "at");
-- The sweep.
CREATE INDEX "request_log_at_idx" ON "request_log" ("at");
