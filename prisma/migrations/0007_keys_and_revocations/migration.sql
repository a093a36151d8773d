CREATE TYPE "signing_key_state" AS ENUM ('next', 'current', 'retired', 'revoked');

CREATE TABLE "signing_key" (
  "kid"         varchar(64)         NOT NULL,
  "alg"         varchar(16)         NOT NULL,
  "state"       "signing_key_state" NOT NULL,
  "public_jwk"  jsonb               NOT NULL,
  "private_jwe" text                NOT NULL,
  "created_at"  timestamptz(3)      NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the key came into its state: as next published, as current signing, as retired no longer.
  "state_since" timestamptz(3)      NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid"),
  -- Each algorithm has keys of its own: ES256 for access tokens, ES256 and RS256 for ID tokens.
  CONSTRAINT "signing_key_alg_check" CHECK ("alg" IN ('ES256', 'RS256')),
  CONSTRAINT "signing_key_public_jwk_check"
    CHECK (NOT "public_jwk" ?| ARRAY['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
);

-- One key of each algorithm signs.
CREATE UNIQUE INDEX "signing_key_current_key" ON "signing_key" ("alg") WHERE "state" = 'current';

CREATE TYPE "status_part" AS ENUM ('sign_in', 'api', 'database', 'media');

-- The minutes in which a part of the service worked, for the status page. Where a row is missing, the part did not work, or no server
-- could record that it did.
CREATE TABLE "status_sample" (
  "minute" timestamptz(0) NOT NULL,
  "part"   "status_part"  NOT NULL,

  -- Also the status page, and the sweep of old minutes.
  CONSTRAINT "status_sample_pkey" PRIMARY KEY ("minute", "part")
);

CREATE TYPE "revocation_kind" AS ENUM ('account', 'client', 'grant', 'chain', 'key', 'token');

CREATE TABLE "revocation" (
  "kind"        "revocation_kind" NOT NULL,
  "id"          varchar(256)      NOT NULL,
  -- Tokens of a lower epoch are dead; without one all of them are.
  "epoch"       integer,
  -- The transaction that wrote the row. Readers ask for what was not finished when they last looked:
  -- no clock is compared, and a transaction that takes long is not missed.
  "changed_xid" xid8              NOT NULL DEFAULT pg_current_xact_id(),
  -- No token that the row is about outlives this.
  "expires_at"  timestamptz(3)    NOT NULL,

  CONSTRAINT "revocation_pkey" PRIMARY KEY ("kind", "id"),
  CONSTRAINT "revocation_epoch_check"
    CHECK ("epoch" IS NULL OR "kind" IN ('account', 'client', 'grant') OR ("kind" = 'key' AND "epoch" = 0))
);

-- Each process: what has changed since it last looked.
CREATE INDEX "revocation_changed_xid_idx" ON "revocation" ("changed_xid");
-- The sweep of what has expired.
CREATE INDEX "revocation_expires_at_idx" ON "revocation" ("expires_at");

-- 125 minutes: the longest lifetime of an access token, five minutes for what was being issued, and an hour by which the clock of
-- PostgreSQL may be wrong when the row is written or swept. Otherwise a row written by a clock that is an hour slow would
-- expire soon after the clock is right again, and a process that starts then would accept the token.
CREATE FUNCTION "revoke_tokens"("of_kind" "revocation_kind", "of_id" text, "lowest_epoch" integer) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      INSERT INTO "revocation" ("kind", "id", "epoch", "changed_xid", "expires_at")
      VALUES (of_kind, of_id, lowest_epoch, pg_current_xact_id(), clock_timestamp() + interval '125 minutes')
      ON CONFLICT ("kind", "id") DO UPDATE
        SET "epoch" = EXCLUDED."epoch", "changed_xid" = EXCLUDED."changed_xid", "expires_at" = EXCLUDED."expires_at";
      -- To registered APIs, by a later migration. Most changes of an application revoke nothing: it has a trigger of its own.
      IF of_kind NOT IN ('client', 'key') THEN
        PERFORM signal_revocation(of_kind, of_id, lowest_epoch);
      END IF;
    END
  $$;

-- What each access token for a registered API depends on, so that its status list (draft-ietf-oauth-status-list) can say that it is
-- revoked. Without foreign keys: rows go with their list, which lasts two hours at most.
CREATE TABLE "token_status" (
  -- When the tokens of the list have expired; with the API it names the list.
  "expires_at"         timestamptz(0) NOT NULL,
  "resource_server_id" bigint         NOT NULL,
  -- The place in the list, at random: it tells nothing about the token.
  "idx"                integer        NOT NULL,
  "jti"                varchar(64)    NOT NULL,
  -- The epoch of the API, and what the other claims of the token are: `packages/revocations/src/revocable-token.ts`.
  "re"                 integer        NOT NULL,
  "client_id"          varchar(256)   NOT NULL,
  "ce"                 integer        NOT NULL,
  "gid"                varchar(64),
  "ge"                 integer,
  "ae"                 integer,
  "ch"                 varchar(32),

  -- Also the sweep of lists whose tokens have expired.
  CONSTRAINT "token_status_pkey" PRIMARY KEY ("expires_at", "resource_server_id", "idx"),
  CONSTRAINT "token_status_idx_check" CHECK ("idx" BETWEEN 0 AND 1048575)
);

-- The API of a token that is revoked alone.
CREATE INDEX "token_status_jti_idx" ON "token_status" ("jti");

CREATE FUNCTION "revoke_tokens_of_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('account', NEW.id::text,
        CASE WHEN NEW.suspended_at IS NULL AND NEW.deleted_at IS NULL THEN NEW.epoch END);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_revocation" AFTER UPDATE OF "epoch", "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN ((OLD."epoch", OLD."suspended_at", OLD."deleted_at") IS DISTINCT FROM (NEW."epoch", NEW."suspended_at", NEW."deleted_at"))
  EXECUTE FUNCTION "revoke_tokens_of_account"();

-- The tokens of an application that is paused are revoked, whatever their epoch. A client with a document can be deleted and come
-- back under the same id: its new tokens must not be revoked by its deletion, and its old ones must stay revoked.
CREATE FUNCTION "revoke_tokens_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM revoke_tokens('client', OLD.client_id, CASE WHEN OLD.client_id ~ '^https?://' THEN OLD.epoch + 1 END);
      ELSE
        PERFORM revoke_tokens('client', NEW.client_id,
          CASE WHEN NEW.suspended_at IS NULL AND NEW.paused_at IS NULL THEN NEW.epoch END);
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_revocation" AFTER UPDATE OR DELETE ON "application" FOR EACH ROW
  EXECUTE FUNCTION "revoke_tokens_of_client"();

-- Grants go with their application; its row tells of that.
CREATE FUNCTION "revoke_tokens_of_grant"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('grant', NEW.id, CASE WHEN NEW.revoked_at IS NULL THEN NEW.epoch END);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "grant_revocation" AFTER UPDATE OF "epoch", "revoked_at" ON "grant" FOR EACH ROW
  WHEN ((OLD."epoch", OLD."revoked_at") IS DISTINCT FROM (NEW."epoch", NEW."revoked_at"))
  EXECUTE FUNCTION "revoke_tokens_of_grant"();

CREATE FUNCTION "revoke_tokens_of_chain"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('chain', NEW.id, NULL);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "ended_chain_revocation" AFTER INSERT ON "ended_chain" FOR EACH ROW
  EXECUTE FUNCTION "revoke_tokens_of_chain"();

CREATE FUNCTION "revoke_tokens_of_key"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('key', NEW.kid, CASE WHEN NEW.state <> 'revoked' THEN 0 END);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "signing_key_revocation" AFTER UPDATE OF "state" ON "signing_key" FOR EACH ROW
  WHEN (NEW."state" <> OLD."state")
  EXECUTE FUNCTION "revoke_tokens_of_key"();
CREATE TRIGGER "signing_key_made" AFTER INSERT ON "signing_key" FOR EACH ROW
  EXECUTE FUNCTION "revoke_tokens_of_key"();
