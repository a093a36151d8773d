-- What happened to accounts, applications, consents, sessions and keys, and who did it. Triggers write it,
-- so that no writer can forget it and each row commits together with the change that it tells of; what
-- changes no row (a failed sign-in, a refused consent) `apps/auth` tells itself.

-- `unknown`: the connection does not say for whom it works, as psql and connections through some poolers.
CREATE TYPE "audit_actor" AS ENUM ('person', 'application', 'operator', 'service', 'unknown');

CREATE TABLE "audit_event" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "at"         timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "event"      varchar(48)    NOT NULL,
  "actor"      "audit_actor"  NOT NULL,
  -- No foreign keys: a row outlives what it is about.
  "account_id" bigint,
  "client_id"  varchar(64),
  "request_id" varchar(128),
  -- Never a secret, a code, a token, a password, a cookie, a name or an e-mail address.
  "detail"     jsonb          NOT NULL DEFAULT '{}',

  CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_event_event_check" CHECK ("event" ~ '\A[a-z_]+\.[a-z_]+\Z'),
  CONSTRAINT "audit_event_detail_check" CHECK (jsonb_typeof("detail") = 'object')
);

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      RAISE EXCEPTION 'audit events are only ever added'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_event_append_only';
    END
  $$;
CREATE TRIGGER "audit_event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_event" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();

-- `by_service`: who is behind it when a server of the service does it.
CREATE FUNCTION "audit"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO "audit_event" ("event", "actor", "account_id", "client_id", "detail")
    VALUES (of_event,
      CASE current_setting('linnet.actor', true) WHEN 'service' THEN by_service WHEN 'operator' THEN 'operator' ELSE 'unknown' END,
      of_account, of_client, with_detail)
  $$;

CREATE FUNCTION "audit_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM audit('account.registered', 'person', NEW.id, NULL);
        RETURN NULL;
      END IF;
      IF NEW.erased_at IS DISTINCT FROM OLD.erased_at THEN
        PERFORM audit('account.erased', 'service', NEW.id, NULL);
        RETURN NULL;
      END IF;
      IF NEW.username IS DISTINCT FROM OLD.username THEN
        PERFORM audit('account.renamed', 'person', NEW.id, NULL);
      END IF;
      IF NEW.protected IS DISTINCT FROM OLD.protected THEN
        PERFORM audit(CASE WHEN NEW.protected THEN 'account.protected' ELSE 'account.unprotected' END, 'person', NEW.id, NULL);
      END IF;
      IF NEW.verified IS DISTINCT FROM OLD.verified THEN
        PERFORM audit(CASE WHEN NEW.verified THEN 'account.verified' ELSE 'account.unverified' END, 'service', NEW.id, NULL);
      END IF;
      IF (NEW.suspended_at IS NULL) <> (OLD.suspended_at IS NULL) THEN
        PERFORM audit(CASE WHEN NEW.suspended_at IS NULL THEN 'account.unsuspended' ELSE 'account.suspended' END, 'service', NEW.id, NULL);
      END IF;
      IF (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) THEN
        PERFORM audit(CASE WHEN NEW.deleted_at IS NULL THEN 'account.restored' ELSE 'account.deleted' END, 'person', NEW.id, NULL);
      END IF;
      -- With the epoch as it was, the same password was hashed anew.
      IF NEW.epoch > OLD.epoch AND NEW.password_hash IS DISTINCT FROM OLD.password_hash THEN
        PERFORM audit('account.password_changed', 'person', NEW.id, NULL);
      ELSIF NEW.epoch > OLD.epoch AND NEW.suspended_at IS NULL AND NEW.deleted_at IS NULL THEN
        PERFORM audit('account.signed_out_everywhere', 'person', NEW.id, NULL);
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_audit_insert" AFTER INSERT ON "account" FOR EACH ROW
  EXECUTE FUNCTION "audit_account"();
-- The counters of an account change all the time; this costs them nothing.
CREATE TRIGGER "account_audit" AFTER UPDATE OF "username", "password_hash", "epoch", "protected", "verified", "suspended_at", "deleted_at", "erased_at"
  ON "account" FOR EACH ROW
  EXECUTE FUNCTION "audit_account"();

CREATE FUNCTION "audit_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM audit('application.deleted', 'person', OLD.owner_id, OLD.client_id);
      ELSIF TG_OP = 'INSERT' THEN
        PERFORM audit('application.created', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('type', NEW.type, 'scopes', NEW.scopes, 'implicit', NEW.implicit));
      ELSE
        PERFORM audit(CASE WHEN NEW.suspended_at IS NULL THEN 'application.unsuspended' ELSE 'application.suspended' END,
          'service', NEW.owner_id, NEW.client_id);
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "application_audit" AFTER INSERT OR DELETE ON "application" FOR EACH ROW
  EXECUTE FUNCTION "audit_application"();
CREATE TRIGGER "application_audit_suspension" AFTER UPDATE OF "suspended_at" ON "application" FOR EACH ROW
  WHEN ((OLD."suspended_at" IS NULL) <> (NEW."suspended_at" IS NULL))
  EXECUTE FUNCTION "audit_application"();

CREATE FUNCTION "audit_application_settings"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('application.changed', 'person', NEW.owner_id, NEW.client_id,
        jsonb_build_object('scopes', NEW.scopes, 'implicit', NEW.implicit));
      RETURN NULL;
    END
  $$;
-- Also when they are saved as they were: the return addresses may be others, and are rows of their own.
CREATE TRIGGER "application_audit_settings" AFTER UPDATE OF "name", "scopes", "implicit", "jwks_uri", "jwks" ON "application" FOR EACH ROW
  EXECUTE FUNCTION "audit_application_settings"();

CREATE FUNCTION "audit_application_secret"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_secret "application_secret";
      of_owner  bigint;
    BEGIN
      IF TG_OP = 'INSERT' THEN of_secret := NEW; ELSE of_secret := OLD; END IF;
      SELECT owner_id INTO of_owner FROM application WHERE client_id = of_secret.client_id;
      -- Secrets that go with their application are told of by its own event.
      IF FOUND THEN
        PERFORM audit(CASE WHEN TG_OP = 'INSERT' THEN 'secret.added' ELSE 'secret.retired' END, 'person', of_owner,
          of_secret.client_id, jsonb_build_object('secret_id', of_secret.id::text));
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "application_secret_audit" AFTER INSERT OR DELETE ON "application_secret" FOR EACH ROW
  EXECUTE FUNCTION "audit_application_secret"();

CREATE FUNCTION "audit_grant"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(
        CASE
          WHEN TG_OP = 'INSERT' THEN 'consent.given'
          WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'consent.ended'
          WHEN NEW.scopes <@ OLD.scopes THEN 'consent.narrowed'
          ELSE 'consent.widened'
        END,
        'person', NEW.account_id, NEW.client_id, jsonb_build_object('kind', NEW.kind, 'grant_id', NEW.id, 'scopes', NEW.scopes));
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "grant_audit_insert" AFTER INSERT ON "grant" FOR EACH ROW
  EXECUTE FUNCTION "audit_grant"();
CREATE TRIGGER "grant_audit" AFTER UPDATE OF "scopes", "revoked_at" ON "grant" FOR EACH ROW
  WHEN ((OLD."scopes", OLD."revoked_at") IS DISTINCT FROM (NEW."scopes", NEW."revoked_at"))
  EXECUTE FUNCTION "audit_grant"();

CREATE FUNCTION "audit_session"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.revoked_at IS NULL THEN 'session.begun' ELSE 'session.ended' END, 'person', NEW.account_id, NULL);
      RETURN NULL;
    END
  $$;
-- A session begins when somebody signs in, and not when it is saved again.
CREATE TRIGGER "session_audit_insert" AFTER INSERT ON "session" FOR EACH ROW
  WHEN (NEW."account_id" IS NOT NULL)
  EXECUTE FUNCTION "audit_session"();
CREATE TRIGGER "session_audit" AFTER UPDATE OF "account_id", "revoked_at" ON "session" FOR EACH ROW
  WHEN (NEW."account_id" IS NOT NULL AND (OLD."account_id", OLD."revoked_at") IS DISTINCT FROM (NEW."account_id", NEW."revoked_at"))
  EXECUTE FUNCTION "audit_session"();

CREATE FUNCTION "audit_signing_key"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('key.' || NEW.state, 'service', NULL, NULL, jsonb_build_object('kid', NEW.kid));
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "signing_key_audit_insert" AFTER INSERT ON "signing_key" FOR EACH ROW
  EXECUTE FUNCTION "audit_signing_key"();
CREATE TRIGGER "signing_key_audit" AFTER UPDATE OF "state" ON "signing_key" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state")
  EXECUTE FUNCTION "audit_signing_key"();
