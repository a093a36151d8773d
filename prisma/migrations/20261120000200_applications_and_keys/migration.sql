CREATE TYPE "application_type" AS ENUM ('confidential', 'public', 'native');
CREATE TYPE "grant_kind" AS ENUM ('act_as_owner');
CREATE TYPE "signing_key_state" AS ENUM ('next', 'current', 'retired', 'revoked');

CREATE TABLE "application" (
  "client_id"  varchar(64)        NOT NULL,
  "owner_id"   bigint             NOT NULL,
  "name"       varchar(60)        NOT NULL,
  "type"       "application_type" NOT NULL,
  "scopes"     text[],
  "created_at" timestamptz(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "application_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "application_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "application_name_check" CHECK (btrim("name") <> ''),
  -- A client id never looks like an account id (RFC 9700 §4.15).
  CONSTRAINT "application_client_id_check" CHECK ("client_id" ~ '^[A-Za-z0-9_-]{16,64}$' AND "client_id" !~ '^[0-9]+$')
);

-- linnet app list --owner; My applications.
CREATE INDEX "application_owner_id_created_at_idx" ON "application" ("owner_id", "created_at");

CREATE TABLE "redirect_uri" (
  "client_id" varchar(64)   NOT NULL,
  "position"  integer       NOT NULL,
  "uri"       varchar(2048) NOT NULL,

  CONSTRAINT "redirect_uri_pkey" PRIMARY KEY ("client_id", "position"),
  CONSTRAINT "redirect_uri_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT
);

CREATE TABLE "application_secret" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "client_id"  varchar(64)    NOT NULL,
  "sha256"     bytea          NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" timestamptz(3),

  CONSTRAINT "application_secret_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "application_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_secret_sha256_check" CHECK (octet_length("sha256") = 32)
);

-- Loading an application with its secrets.
CREATE INDEX "application_secret_client_id_idx" ON "application_secret" ("client_id");

CREATE TABLE "grant" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  "client_id"  varchar(64)    NOT NULL,
  "kind"       "grant_kind"   NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" timestamptz(3),

  CONSTRAINT "grant_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "grant_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "grant_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- Loading an application with the account that its client credentials act as.
CREATE INDEX "grant_client_id_kind_idx" ON "grant" ("client_id", "kind");
-- One living grant of each kind for an application that acts as its owner.
CREATE UNIQUE INDEX "grant_act_as_owner_key" ON "grant" ("client_id") WHERE "kind" = 'act_as_owner' AND "revoked_at" IS NULL;

CREATE TABLE "signing_key" (
  "kid"         varchar(64)         NOT NULL,
  "alg"         varchar(16)         NOT NULL,
  "state"       "signing_key_state" NOT NULL,
  "public_jwk"  jsonb               NOT NULL,
  "private_jwe" text                NOT NULL,
  "created_at"  timestamptz(3)      NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid"),
  -- The API reads this column: no private member may ever stand in it.
  CONSTRAINT "signing_key_public_jwk_check" CHECK (NOT "public_jwk" ? 'd')
);

-- At any time one key signs and one is published to sign next.
CREATE UNIQUE INDEX "signing_key_current_key" ON "signing_key" ("state") WHERE "state" = 'current';
CREATE UNIQUE INDEX "signing_key_next_key" ON "signing_key" ("state") WHERE "state" = 'next';
