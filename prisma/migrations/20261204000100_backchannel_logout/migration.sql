-- OpenID Connect Back-Channel Logout: applications are notified when a session ends in which somebody signed in to
-- them. Triggers queue the notifications in the transaction that ends the session, so that none can be forgotten or
-- lost; a job of `apps/auth` sends them.

ALTER TABLE "application"
  ADD COLUMN "backchannel_logout_uri" varchar(2048),
  ADD COLUMN "backchannel_logout_session_required" boolean NOT NULL DEFAULT false;

CREATE TABLE "backchannel_logout" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "client_id"  varchar(64)    NOT NULL,
  "account_id" bigint         NOT NULL,
  -- The claim `sid` of the application's ID tokens.
  "sid"        varchar(64)    NOT NULL,
  "attempts"   integer        NOT NULL DEFAULT 0,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "due_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "backchannel_logout_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "backchannel_logout_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "backchannel_logout_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "backchannel_logout_attempts_check" CHECK ("attempts" >= 0)
);
-- What to send next.
CREATE INDEX "backchannel_logout_due_at_idx" ON "backchannel_logout" ("due_at");
-- The notifications of an application: postponed together when it cannot be reached, and deleted with it.
CREATE INDEX "backchannel_logout_client_id_due_at_idx" ON "backchannel_logout" ("client_id", "due_at");
-- Deleted with the account.
CREATE INDEX "backchannel_logout_account_id_idx" ON "backchannel_logout" ("account_id");

-- A session that ends, or is taken over by another account. An entry without a grant is of a request that was denied.
CREATE FUNCTION "queue_backchannel_logout"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO backchannel_logout (client_id, account_id, sid)
      SELECT a.client_id, OLD.account_id, entry.value->>'sid'
        FROM jsonb_each(OLD.payload->'authorizations') AS entry (client_id, value)
        JOIN application a ON a.client_id = entry.client_id
       WHERE a.backchannel_logout_uri IS NOT NULL AND entry.value->>'grantId' IS NOT NULL AND entry.value->>'sid' IS NOT NULL;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "session_backchannel_logout" AFTER UPDATE OF "account_id", "revoked_at" ON "session" FOR EACH ROW
  WHEN (OLD."account_id" IS NOT NULL AND OLD."revoked_at" IS NULL
    AND (NEW."revoked_at" IS NOT NULL OR NEW."account_id" IS DISTINCT FROM OLD."account_id"))
  EXECUTE FUNCTION "queue_backchannel_logout"();

-- A higher epoch ends every session of the account. Revoking them here makes every such change end sessions in the one
-- way that the trigger above sees; a request that saves its session at the same time finds it revoked.
CREATE FUNCTION "revoke_sessions_of_epoch"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE session SET revoked_at = now(), id_sha256 = NULL
       WHERE account_id = NEW.id AND login_epoch = OLD.epoch AND revoked_at IS NULL AND expires_at > now();
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_epoch_sessions" AFTER UPDATE OF "epoch" ON "account" FOR EACH ROW
  WHEN (NEW."epoch" > OLD."epoch")
  EXECUTE FUNCTION "revoke_sessions_of_epoch"();

-- Notifications that could not be delivered, for the owner of the application.
ALTER TYPE "request_failure_kind" ADD VALUE 'logout' AFTER 'person';
