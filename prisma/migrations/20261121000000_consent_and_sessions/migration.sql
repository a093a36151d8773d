ALTER TABLE "account" ADD COLUMN "epoch" integer NOT NULL DEFAULT 0;
ALTER TABLE "application" ADD COLUMN "implicit" boolean NOT NULL DEFAULT false;

-- Ids of grants become random text, as the provider makes them.
ALTER TYPE "grant_kind" ADD VALUE 'consent';
ALTER TABLE "grant"
  ALTER COLUMN "id" DROP DEFAULT,
  ALTER COLUMN "id" TYPE varchar(64) USING "id"::text,
  ADD COLUMN "scopes" text[],
  ADD COLUMN "payload" jsonb;
-- Connected applications of an account; the consent it gave to one application before.
CREATE INDEX "grant_account_id_client_id_idx" ON "grant" ("account_id", "client_id");

CREATE TABLE "oauth_artifact" (
  "kind"             varchar(32)    NOT NULL,
  "id_sha256"        bytea          NOT NULL,
  "payload"          jsonb          NOT NULL,
  "grant_id"         varchar(64),
  "expires_at"       timestamptz(3) NOT NULL,
  "consumed_at"      timestamptz(3),
  "successor_sha256" bytea,
  "created_at"       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "oauth_artifact_pkey" PRIMARY KEY ("kind", "id_sha256"),
  CONSTRAINT "oauth_artifact_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "oauth_artifact_id_sha256_check" CHECK (octet_length("id_sha256") = 32),
  -- Ids in clear never stand in the payload.
  CONSTRAINT "oauth_artifact_payload_check" CHECK (NOT "payload" ? 'jti')
);

-- Deleting a grant with what depends on it.
CREATE INDEX "oauth_artifact_grant_id_idx" ON "oauth_artifact" ("grant_id");
-- The sweep of what has expired.
CREATE INDEX "oauth_artifact_expires_at_idx" ON "oauth_artifact" ("expires_at");

CREATE TABLE "session" (
  "uid"          varchar(64)    NOT NULL,
  "id_sha256"    bytea,
  "account_id"   bigint,
  "login_epoch"  integer,
  "payload"      jsonb          NOT NULL,
  "user_agent"   varchar(256)   NOT NULL DEFAULT '',
  "address"      varchar(45)    NOT NULL DEFAULT '',
  "created_at"   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_seen_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at"   timestamptz(3) NOT NULL,
  "revoked_at"   timestamptz(3),

  CONSTRAINT "session_pkey" PRIMARY KEY ("uid"),
  CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "session_payload_check" CHECK (NOT "payload" ? 'jti'),
  CONSTRAINT "session_login_epoch_check" CHECK (("account_id" IS NULL) = ("login_epoch" IS NULL))
);

CREATE UNIQUE INDEX "session_id_sha256_key" ON "session" ("id_sha256");
-- The sessions page of an account.
CREATE INDEX "session_account_id_last_seen_at_idx" ON "session" ("account_id", "last_seen_at");
-- The sweep of what has expired.
CREATE INDEX "session_expires_at_idx" ON "session" ("expires_at");

-- Counters of attempts: worth nothing after a crash, so not logged.
CREATE UNLOGGED TABLE "rate_limit" (
  "key"    varchar(255)   NOT NULL,
  "points" integer        NOT NULL DEFAULT 0,
  "expire" timestamptz(3),

  CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);
