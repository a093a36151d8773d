-- Tokens are verified without the database; what ends them before their time is told by a feed that
-- every process reads a few times a second. Triggers write it, so that no writer can forget it and
-- each row commits together with the change that it tells of.

ALTER TABLE "account" ADD COLUMN "suspended_at" timestamptz(3);
ALTER TABLE "application"
  ADD COLUMN "suspended_at" timestamptz(3),
  ADD COLUMN "epoch"        integer NOT NULL DEFAULT 0;
ALTER TABLE "grant" ADD COLUMN "epoch" integer NOT NULL DEFAULT 0;

CREATE TYPE "revocation_kind" AS ENUM ('account', 'client', 'grant', 'key', 'token');

CREATE TABLE "revocation" (
  "kind"        "revocation_kind" NOT NULL,
  "id"          varchar(128)      NOT NULL,
  -- Tokens of a lower epoch are dead; without one all of them are.
  "epoch"       integer,
  -- The transaction that wrote the row. Readers ask for what was not finished when they last looked:
  -- no clock is compared, and a transaction that takes long is not missed.
  "changed_xid" xid8              NOT NULL DEFAULT pg_current_xact_id(),
  -- No token that the row is about outlives this.
  "expires_at"  timestamptz(3)    NOT NULL,

  CONSTRAINT "revocation_pkey" PRIMARY KEY ("kind", "id"),
  CONSTRAINT "revocation_epoch_check" CHECK ("epoch" IS NULL OR "kind" IN ('account', 'client', 'grant'))
);

-- Each process: what has changed since it last looked.
CREATE INDEX "revocation_changed_xid_idx" ON "revocation" ("changed_xid");
-- The sweep of what has expired.
CREATE INDEX "revocation_expires_at_idx" ON "revocation" ("expires_at");

-- 65 minutes: the longest lifetime of an access token, and five more for what was being issued.
CREATE FUNCTION "revoke_tokens"("of_kind" "revocation_kind", "of_id" text, "lowest_epoch" integer) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO "revocation" ("kind", "id", "epoch", "changed_xid", "expires_at")
    VALUES (of_kind, of_id, lowest_epoch, pg_current_xact_id(), clock_timestamp() + interval '65 minutes')
    ON CONFLICT ("kind", "id") DO UPDATE
      SET "epoch" = EXCLUDED."epoch", "changed_xid" = EXCLUDED."changed_xid", "expires_at" = EXCLUDED."expires_at"
  $$;

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

-- Any change, with or without a higher epoch: the authorization servers remember applications.
CREATE FUNCTION "revoke_tokens_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM revoke_tokens('client', OLD.client_id, NULL);
      ELSE
        PERFORM revoke_tokens('client', NEW.client_id, CASE WHEN NEW.suspended_at IS NULL THEN NEW.epoch END);
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

CREATE FUNCTION "revoke_tokens_of_key"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('key', NEW.kid, NULL);
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "signing_key_revocation" AFTER UPDATE OF "state" ON "signing_key" FOR EACH ROW
  WHEN (NEW."state" = 'revoked' AND OLD."state" <> 'revoked')
  EXECUTE FUNCTION "revoke_tokens_of_key"();
