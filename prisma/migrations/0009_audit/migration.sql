-- `unknown`: the connection does not say for whom it works, as psql and connections through some poolers.
CREATE TYPE "audit_actor" AS ENUM ('person', 'application', 'operator', 'service', 'unknown');

CREATE TABLE "audit_event" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "at"         timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "event"      varchar(48)    NOT NULL,
  "actor"      "audit_actor"  NOT NULL,
  -- No foreign keys: a row outlives what it is about.
  "account_id" bigint,
  "client_id"  varchar(256),
  "request_id" varchar(128),
  -- Never a secret, a code, a token, a password, a cookie, a name or an e-mail address.
  "detail"     jsonb          NOT NULL DEFAULT '{}',

  CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_event_event_check" CHECK ("event" ~ '\A[a-z_]+\.[a-z_]+\Z'),
  CONSTRAINT "audit_event_detail_check" CHECK (jsonb_typeof("detail") = 'object')
);

-- The history of the APIs of an account, the latest first.
CREATE INDEX "audit_event_of_apis_idx" ON "audit_event" ("account_id", "id" DESC)
  WHERE "event" IN ('api.created', 'api.changed', 'api.deleted');
-- The audit search: what happened to an account.
CREATE INDEX "audit_event_account_idx" ON "audit_event" ("account_id", "id") WHERE "account_id" IS NOT NULL;
-- The audit search: what happened to an application.
CREATE INDEX "audit_event_client_idx" ON "audit_event" ("client_id", "id") WHERE "client_id" IS NOT NULL;
-- The audit search: events of one kind.
CREATE INDEX "audit_event_event_idx" ON "audit_event" ("event", "id");
-- The audit search: what operators did (partial: their events only).
CREATE INDEX "audit_event_operators_idx" ON "audit_event" ("id") WHERE "actor" = 'operator';
-- The history of one application, the latest first.
CREATE INDEX "audit_event_with_webhooks_idx" ON "audit_event" ("client_id", "id" DESC)
  WHERE "event" IN ('application.created', 'application.changed', 'application.described', 'application.verified',
    'application.unverified', 'application.paused', 'application.resumed', 'application.suspended',
    'application.unsuspended', 'secret.added', 'secret.renamed', 'secret.retired', 'secret.removed', 'code.replayed',
    'token.reused', 'webhook.added', 'webhook.changed', 'webhook.secret_changed', 'webhook.switched_off', 'webhook.switched_on',
    'webhook.removed');

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      RAISE EXCEPTION 'audit events are only ever added'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_event_append_only';
    END
  $$;

-- Events and seals may leave the audit log for an archive file. Each archive has a checkpoint: the events up to `to_id`,
-- under the seals `first_seal` to `seal`, are in a file with this SHA-256. The seal of the checkpoint stays in `audit_seal`;
-- the chain continues from it. A row without an archive only repeats the state under the current key.
CREATE TABLE "audit_checkpoint" (
  -- Without gaps.
  "number"         bigint         NOT NULL,
  "from_id"        bigint         NOT NULL,
  "to_id"          bigint         NOT NULL,
  "first_seal"     bigint         NOT NULL,
  "seal"           bigint         NOT NULL,
  "events"         bigint         NOT NULL,
  "seal_sha256"    bytea          NOT NULL,
  "archive_sha256" bytea,
  -- Names the key of `mac`, which authenticates this row and all before it. It is derived from SECRET_KEYS.
  "key_id"         varchar(16)    NOT NULL,
  "mac"            bytea          NOT NULL,
  -- The transaction that inserted it, the only one that may delete what it covers.
  "xid"            xid8           NOT NULL DEFAULT pg_current_xact_id(),
  "created_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("number"),
  CONSTRAINT "audit_checkpoint_archive_check"
    CHECK (("archive_sha256" IS NULL) = ("seal" < "first_seal") AND octet_length("archive_sha256") = 32),
  CONSTRAINT "audit_checkpoint_mac_check" CHECK (octet_length("mac") = 32)
);

CREATE TRIGGER "audit_checkpoint_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_checkpoint" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_event_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_event" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();

-- Seals over the audit log: each stands for the events after the one before it, up to `to_id`, and for that one itself,
-- so that what is changed, removed or put in between afterwards no longer fits. Made some seconds after the events, by
-- one process at a time: who writes events waits for nobody.
CREATE TABLE "audit_seal" (
  -- Without gaps.
  "number"    bigint         NOT NULL,
  "to_id"     bigint         NOT NULL,
  "events"    integer        NOT NULL,
  "sha256"    bytea          NOT NULL,
  "sealed_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("number"),
  CONSTRAINT "audit_seal_sha256_check" CHECK (octet_length("sha256") = 32)
);

CREATE TRIGGER "audit_seal_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_seal" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();

-- Why an operator acts in this transaction, who it is on a page for operators or by the admin API, and by which application: part of the
-- detail of every event of the transaction. `own`: on what is theirs.
CREATE FUNCTION "operator_act"("of_account" bigint) RETURNS jsonb
  LANGUAGE sql STABLE
  AS $$
    SELECT CASE WHEN COALESCE(current_setting('linnet.reason', true), '') = '' THEN '{}'
           ELSE jsonb_strip_nulls(jsonb_build_object(
               'operator', NULLIF(current_setting('linnet.operator', true), ''), 'reason', current_setting('linnet.reason'),
               'application', NULLIF(current_setting('linnet.application', true), '')))
             || CASE WHEN of_account::text = current_setting('linnet.operator', true) THEN '{"own": true}'::jsonb ELSE '{}' END END
  $$;

-- Like audit(), which calls it. Returns the id of the event.
CREATE FUNCTION "add_audit_event"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS bigint
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO "audit_event" ("event", "actor", "account_id", "client_id", "detail")
    VALUES (of_event,
      CASE linnet_actor()
        WHEN 'service' THEN
          CASE WHEN by_service <> 'person' OR of_account IS NOT NULL OR of_client IS NULL THEN by_service
               WHEN current_setting('linnet.job', true) = 'on' THEN 'service'
               ELSE 'application' END
        WHEN 'operator' THEN 'operator'
        ELSE 'unknown' END,
      of_account, of_client, with_detail || operator_act(of_account))
    RETURNING "id"
  $$;

-- What a person does to an application has an account: its owner. Without one, the application did it, or a job.
CREATE FUNCTION "audit"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS void
  LANGUAGE sql VOLATILE
  AS $$ SELECT add_audit_event(of_event, by_service, of_account, of_client, with_detail) $$;

CREATE FUNCTION "audit_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        IF NEW.test_owner_id IS NULL THEN
          PERFORM audit('account.registered', 'person', NEW.id, NULL);
        ELSE
          PERFORM audit('test_person.created', 'person', NEW.test_owner_id, NULL, jsonb_build_object('username', NEW.username));
        END IF;
        RETURN NULL;
      END IF;
      IF NEW.test_owner_id IS NOT NULL AND NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL THEN
        PERFORM audit('test_person.deleted', 'person', NEW.test_owner_id, NULL, jsonb_build_object('username', NEW.username));
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
      IF (NEW.limited_at IS NULL) <> (OLD.limited_at IS NULL) THEN
        PERFORM audit(CASE WHEN NEW.limited_at IS NULL THEN 'account.unlimited' ELSE 'account.limited' END, 'service', NEW.id, NULL,
          jsonb_strip_nulls(jsonb_build_object('reason', NEW.limit_reason)));
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
CREATE TRIGGER "account_audit" AFTER UPDATE OF "username", "display_name", "first_name", "last_name", "password_hash", "epoch", "protected", "verified", "suspended_at", "limited_at", "deleted_at", "erased_at"
  ON "account" FOR EACH ROW
  EXECUTE FUNCTION "audit_account"();

-- The account does not exist yet; it gets the same id.
CREATE FUNCTION "audit_registration_request"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('registration.requested', 'person', NEW.id, NEW.client_id);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "registration_request_audit" AFTER INSERT ON "registration_request" FOR EACH ROW
  EXECUTE FUNCTION "audit_registration_request"();

-- One that has ended and is swept out was not deleted by anybody.
CREATE FUNCTION "audit_invitation"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_invitation "invitation";
    BEGIN
      IF TG_OP = 'INSERT' THEN of_invitation := NEW; ELSE of_invitation := OLD; END IF;
      PERFORM audit(CASE TG_OP WHEN 'INSERT' THEN 'invitation.created' ELSE 'invitation.deleted' END,
        CASE WHEN of_invitation.account_id IS NULL THEN 'service' ELSE 'person' END::audit_actor,
        of_invitation.account_id, NULL, jsonb_build_object('invitation', of_invitation.id::text));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "invitation_audit_insert" AFTER INSERT ON "invitation" FOR EACH ROW
  EXECUTE FUNCTION "audit_invitation"();
CREATE TRIGGER "invitation_audit_delete" AFTER DELETE ON "invitation" FOR EACH ROW
  WHEN (OLD."expires_at" > now())
  EXECUTE FUNCTION "audit_invitation"();

CREATE FUNCTION "audit_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM audit('application.deleted', 'person', OLD.owner_id, OLD.client_id);
      ELSIF TG_OP = 'INSERT' THEN
        PERFORM audit('application.created', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('type', NEW.type, 'scopes', NEW.scopes, 'grant_types', NEW.grant_types,
            'implicit', 'implicit' = ANY(NEW.grant_types)));
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

CREATE FUNCTION "audit_application_registrations"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('application.registrations_limited', 'service', NEW.owner_id, NEW.client_id,
        jsonb_build_object('per_hour', NEW.registrations_per_hour));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_audit_registrations" AFTER UPDATE OF "registrations_per_hour" ON "application" FOR EACH ROW
  WHEN (OLD."registrations_per_hour" IS DISTINCT FROM NEW."registrations_per_hour")
  EXECUTE FUNCTION "audit_application_registrations"();

CREATE FUNCTION "audit_application_admin"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.admin_allowed THEN 'application.admin_allowed' ELSE 'application.admin_refused' END,
        'service', NEW.owner_id, NEW.client_id);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_audit_admin" AFTER UPDATE OF "admin_allowed" ON "application" FOR EACH ROW
  WHEN (OLD."admin_allowed" <> NEW."admin_allowed")
  EXECUTE FUNCTION "audit_application_admin"();

-- `settings`: the new values of the protocol settings that changed. Those are all columns but the ones listed here, so
-- that no new setting can be forgotten. A value of more than 500 characters is left out.
CREATE FUNCTION "audit_application_settings"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      settings jsonb;
    BEGIN
      SELECT COALESCE(jsonb_object_agg(after.key, CASE WHEN length(after.value::text) <= 500 THEN after.value END), '{}')
        INTO settings
        FROM jsonb_each(to_jsonb(NEW)) after JOIN jsonb_each(to_jsonb(OLD)) before USING (key)
       WHERE after.value <> before.value
         AND key NOT IN ('client_id', 'owner_id', 'name', 'type', 'scopes', 'optional_scopes', 'scope_reasons', 'jwks_uri',
           'jwks', 'created_at', 'epoch', 'suspended_at', 'paused_at', 'website_uri', 'terms_uri', 'privacy_uri',
           'verified_at', 'name_key', 'registrations_per_hour');
      PERFORM audit('application.changed', 'person', NEW.owner_id, NEW.client_id,
        jsonb_build_object('scopes', NEW.scopes, 'optional_scopes', NEW.optional_scopes,
          'implicit', 'implicit' = ANY(NEW.grant_types), 'settings', settings));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_audit_settings" AFTER UPDATE OF "name", "scopes", "grant_types", "jwks_uri", "jwks" ON "application"
  FOR EACH ROW EXECUTE FUNCTION "audit_application_settings"();

-- A secret that ended by itself and is swept out was not retired by anybody.
CREATE FUNCTION "audit_application_secret"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_secret "application_secret";
      of_owner  bigint;
      is_over   boolean;
    BEGIN
      IF TG_OP = 'INSERT' THEN of_secret := NEW; ELSE of_secret := OLD; END IF;
      SELECT owner_id INTO of_owner FROM application WHERE client_id = of_secret.client_id;
      -- Secrets that go with their application are told of by its own event.
      IF FOUND THEN
        is_over := TG_OP = 'DELETE' AND COALESCE(OLD.expires_at <= now(), false);
        PERFORM audit(CASE WHEN TG_OP = 'INSERT' THEN 'secret.added' WHEN is_over THEN 'secret.removed' ELSE 'secret.retired' END,
          CASE WHEN is_over THEN 'service' ELSE 'person' END::audit_actor, of_owner, of_secret.client_id,
          jsonb_build_object('secret_id', of_secret.id::text));
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_secret_audit" AFTER INSERT OR DELETE ON "application_secret" FOR EACH ROW
  EXECUTE FUNCTION "audit_application_secret"();

-- A scope that goes with its API is not removed by the person.
CREATE FUNCTION "audit_grant"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(
        CASE
          WHEN TG_OP = 'INSERT' THEN 'consent.given'
          WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'consent.ended'
          WHEN NEW.scopes IS NOT DISTINCT FROM OLD.scopes THEN 'consent.end_changed'
          WHEN NEW.scopes <@ OLD.scopes THEN 'consent.narrowed'
          ELSE 'consent.widened'
        END,
        CASE WHEN TG_OP = 'UPDATE' AND OLD.revoked_at IS NULL AND NEW.revoked_at >= NEW.ends_at THEN 'service'
             -- The trigger of the API runs this one.
             WHEN TG_OP = 'UPDATE' AND NEW.scopes IS DISTINCT FROM OLD.scopes AND pg_trigger_depth() > 1 THEN 'service'
             ELSE 'person' END::audit_actor,
        NEW.account_id, NEW.client_id,
        jsonb_build_object('kind', NEW.kind, 'grant_id', NEW.id, 'scopes', NEW.scopes, 'ends_at', NEW.ends_at));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "grant_audit_insert" AFTER INSERT ON "grant" FOR EACH ROW
  EXECUTE FUNCTION "audit_grant"();
CREATE TRIGGER "grant_audit" AFTER UPDATE OF "scopes", "revoked_at", "ends_at" ON "grant" FOR EACH ROW
  WHEN ((OLD."scopes", OLD."revoked_at", OLD."ends_at") IS DISTINCT FROM (NEW."scopes", NEW."revoked_at", NEW."ends_at"))
  EXECUTE FUNCTION "audit_grant"();

CREATE FUNCTION "audit_ended_chain"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('authorization.ended', 'application', g.account_id, g.client_id, jsonb_build_object('grant_id', g.id))
         FROM "grant" g WHERE g.id = NEW.grant_id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "ended_chain_audit" AFTER INSERT ON "ended_chain" FOR EACH ROW
  EXECUTE FUNCTION "audit_ended_chain"();

-- A session can be ended from elsewhere, so only its begin has its address.
CREATE FUNCTION "audit_session"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      event bigint := add_audit_event(CASE WHEN NEW.revoked_at IS NULL THEN 'session.begun' ELSE 'session.ended' END,
        'person', NEW.account_id, NULL, jsonb_build_object('session', NEW.uid));
    BEGIN
      IF NEW.revoked_at IS NULL AND parse_address(NEW.address) IS NOT NULL THEN
        INSERT INTO audit_address (event_id, address) VALUES (event, parse_address(NEW.address));
      END IF;
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

CREATE FUNCTION "audit_application_pause"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.paused_at IS NULL THEN 'application.resumed' ELSE 'application.paused' END,
        'person', NEW.owner_id, NEW.client_id);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_audit_pause" AFTER UPDATE OF "paused_at" ON "application" FOR EACH ROW
  WHEN ((OLD."paused_at" IS NULL) <> (NEW."paused_at" IS NULL))
  EXECUTE FUNCTION "audit_application_pause"();

CREATE FUNCTION "audit_application_description"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_owner bigint;
    BEGIN
      IF TG_TABLE_NAME = 'application' THEN
        PERFORM audit('application.described', 'person', NEW.owner_id, NEW.client_id);
        RETURN NULL;
      END IF;
      SELECT owner_id INTO of_owner FROM application WHERE client_id = COALESCE(NEW.client_id, OLD.client_id);
      -- A logo that goes with its application is told of by its event.
      IF FOUND THEN
        PERFORM audit('application.described', 'person', of_owner, COALESCE(NEW.client_id, OLD.client_id));
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_audit_links" AFTER UPDATE OF "website_uri", "terms_uri", "privacy_uri" ON "application" FOR EACH ROW
  WHEN ((OLD."website_uri", OLD."terms_uri", OLD."privacy_uri") IS DISTINCT FROM (NEW."website_uri", NEW."terms_uri", NEW."privacy_uri"))
  EXECUTE FUNCTION "audit_application_description"();
CREATE TRIGGER "application_logo_audit" AFTER INSERT OR UPDATE OR DELETE ON "application_logo" FOR EACH ROW
  EXECUTE FUNCTION "audit_application_description"();

-- The text of an event that seals hash and archives contain.
CREATE FUNCTION "audit_event_text"("e" "audit_event") RETURNS text
  LANGUAGE sql STABLE
  AS $$
    SELECT jsonb_build_array(e.id, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), e.event, e.actor,
      e.account_id, e.client_id, e.request_id, e.detail)::text
  $$;

-- The seal over the events after `from_id` up to `to_id` (RFC 8785's idea by PostgreSQL's own means: jsonb has one text).
CREATE FUNCTION "audit_seal_of"("previous" bytea, "from_id" bigint, "up_to_id" bigint)
  RETURNS TABLE ("events" integer, "sha256" bytea)
  LANGUAGE sql STABLE
  AS $$
    SELECT count(*)::integer,
      sha256("previous" || convert_to(COALESCE(string_agg(audit_event_text(e), E'\n' ORDER BY e.id), ''), 'UTF8'))
    FROM audit_event e
    WHERE e.id > "from_id" AND e.id <= "up_to_id"
  $$;

CREATE FUNCTION "audit_factor"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_account bigint;
      of_kind    jsonb := jsonb_build_object('kind', TG_TABLE_NAME);
    BEGIN
      IF TG_OP = 'DELETE' THEN of_account := OLD.account_id; ELSE of_account := NEW.account_id; END IF;
      IF TG_OP = 'INSERT' THEN
        PERFORM audit('factor.added', 'person', of_account, NULL, of_kind);
      ELSIF TG_OP = 'UPDATE' THEN
        PERFORM audit('factor.used', 'person', of_account, NULL, of_kind);
      -- What goes with its account is told of by the account's own event.
      ELSIF EXISTS (SELECT FROM account WHERE id = of_account AND erased_at IS NULL) THEN
        PERFORM audit('factor.removed', 'person', of_account, NULL, of_kind);
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "passkey_audit" AFTER INSERT OR DELETE OR UPDATE OF "last_used_at" ON "passkey" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();
CREATE TRIGGER "upstream_identity_audit" AFTER INSERT OR DELETE ON "upstream_identity" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();
CREATE TRIGGER "totp_audit" AFTER INSERT OR DELETE OR UPDATE OF "last_step" ON "totp" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();
CREATE TRIGGER "recovery_code_audit" AFTER UPDATE OF "used_at" ON "recovery_code" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();

CREATE FUNCTION "audit_recovery_codes"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('factor.recovery_codes_made', 'person', made.account_id, NULL)
        FROM (SELECT DISTINCT account_id FROM new_codes) AS made;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "recovery_code_audit_made" AFTER INSERT ON "recovery_code" REFERENCING NEW TABLE AS new_codes FOR EACH STATEMENT
  EXECUTE FUNCTION "audit_recovery_codes"();

CREATE FUNCTION "audit_renamed_secret"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('secret.renamed', 'person', a.owner_id, a.client_id, jsonb_build_object('secret_id', NEW.id::text))
        FROM application a WHERE a.client_id = NEW.client_id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_secret_audit_renamed" AFTER UPDATE OF "name" ON "application_secret" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name")
  EXECUTE FUNCTION "audit_renamed_secret"();

-- Refusals that repeat within a window are counted here, so that a flood adds few rows to the audit log. The first one of a
-- window is an event at once; the others become one event with their number when the window ends.
CREATE TABLE "audit_repeat" (
  -- SHA-256 of the event, its subject and the network it came from, which is not stored.
  "key"        bytea          NOT NULL,
  "event"      varchar(48)    NOT NULL,
  "actor"      "audit_actor"  NOT NULL,
  "account_id" bigint,
  "client_id"  varchar(256),
  "detail"     jsonb          NOT NULL,
  -- After the first.
  "repeats"    bigint         NOT NULL,
  "first_at"   timestamptz(3) NOT NULL,
  "last_at"    timestamptz(3) NOT NULL,
  "ends_at"    timestamptz(3) NOT NULL,

  CONSTRAINT "audit_repeat_pkey" PRIMARY KEY ("key"),
  CONSTRAINT "audit_repeat_key_check" CHECK (octet_length("key") = 32),
  CONSTRAINT "audit_repeat_repeats_check" CHECK ("repeats" >= 0)
);

-- The job that ends windows.
CREATE INDEX "audit_repeat_ends_at_idx" ON "audit_repeat" ("ends_at");

CREATE FUNCTION "audit_application_verification"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.verified_at IS NULL THEN 'application.unverified' ELSE 'application.verified' END,
        'service', NEW.owner_id, NEW.client_id);
      RETURN NULL;
    END
  $$;

-- For every column, because the change of another one can end the verification.
CREATE TRIGGER "application_audit_verification" AFTER UPDATE ON "application" FOR EACH ROW
  WHEN ((OLD."verified_at" IS NULL) <> (NEW."verified_at" IS NULL))
  EXECUTE FUNCTION "audit_application_verification"();

-- A checkpoint continues the one before it and matches the events and seals that it covers.
CREATE FUNCTION "check_audit_checkpoint"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      last "audit_checkpoint";
    BEGIN
      SELECT * INTO last FROM audit_checkpoint ORDER BY number DESC LIMIT 1;
      NEW.xid := pg_current_xact_id();
      IF NEW.number <> COALESCE(last.number, 0) + 1
        OR NEW.from_id <> COALESCE(last.to_id, 0)
        OR NEW.first_seal <> COALESCE(last.seal, 0) + 1
        OR NEW.seal < COALESCE(last.seal, 0)
        OR NOT EXISTS (SELECT FROM audit_seal s WHERE s.number = NEW.seal AND s.to_id = NEW.to_id AND s.sha256 = NEW.seal_sha256)
        OR NEW.events <> (SELECT COALESCE(sum(s.events), 0) FROM audit_seal s WHERE s.number >= NEW.first_seal AND s.number <= NEW.seal)
        OR NEW.events <> (SELECT count(*) FROM audit_event e WHERE e.id > NEW.from_id AND e.id <= NEW.to_id)
      THEN
        RAISE EXCEPTION 'the checkpoint does not match the audit log'
          USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_checkpoint_matches';
      END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "audit_checkpoint_matches" BEFORE INSERT ON "audit_checkpoint" FOR EACH ROW
  EXECUTE FUNCTION "check_audit_checkpoint"();

CREATE FUNCTION "audit_checkpoint_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.archive_sha256 IS NULL THEN 'audit.renewed' ELSE 'audit.archived' END, 'service', NULL, NULL,
        jsonb_build_object('checkpoint', NEW.number, 'seal', NEW.seal, 'events', NEW.events,
          'sha256', encode(NEW.archive_sha256, 'hex')));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "audit_checkpoint_audit" AFTER INSERT ON "audit_checkpoint" FOR EACH ROW
  EXECUTE FUNCTION "audit_checkpoint_event"();

-- What a checkpoint covers leaves the tables in its transaction, completely.
CREATE FUNCTION "require_audit_archived"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF EXISTS (SELECT FROM audit_event WHERE id <= NEW.to_id) OR EXISTS (SELECT FROM audit_seal WHERE number < NEW.seal) THEN
        RAISE EXCEPTION 'archived audit events are still in the log'
          USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_checkpoint_complete';
      END IF;
      RETURN NULL;
    END
  $$;

CREATE CONSTRAINT TRIGGER "audit_checkpoint_complete" AFTER INSERT ON "audit_checkpoint" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "require_audit_archived"();

CREATE FUNCTION "require_audit_checkpoint"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM audit_checkpoint WHERE xid = pg_current_xact_id_if_assigned()) THEN
        RAISE EXCEPTION 'audit events are only ever added, and deleted when they are archived'
          USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_event_append_only';
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "audit_event_delete_archived" BEFORE DELETE ON "audit_event" FOR EACH STATEMENT
  EXECUTE FUNCTION "require_audit_checkpoint"();
CREATE TRIGGER "audit_seal_delete_archived" BEFORE DELETE ON "audit_seal" FOR EACH STATEMENT
  EXECUTE FUNCTION "require_audit_checkpoint"();

CREATE FUNCTION "require_archived_events"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF EXISTS (SELECT FROM gone WHERE NOT EXISTS (SELECT FROM audit_checkpoint c
        WHERE c.xid = pg_current_xact_id() AND gone.id > c.from_id AND gone.id <= c.to_id))
      THEN
        RAISE EXCEPTION 'only archived audit events can be deleted'
          USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_event_append_only';
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "audit_event_archived" AFTER DELETE ON "audit_event" REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT
  EXECUTE FUNCTION "require_archived_events"();

CREATE FUNCTION "require_archived_seals"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF EXISTS (SELECT FROM gone WHERE NOT EXISTS (SELECT FROM audit_checkpoint c
        WHERE c.xid = pg_current_xact_id() AND gone.number >= c.first_seal - 1 AND gone.number < c.seal))
      THEN
        RAISE EXCEPTION 'only archived seals can be deleted'
          USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'audit_seal_append_only';
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "audit_seal_archived" AFTER DELETE ON "audit_seal" REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT
  EXECUTE FUNCTION "require_archived_seals"();

-- With the settings that changed; without an event if none did.
CREATE FUNCTION "audit_resource_server"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      changed text[];
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM audit('api.deleted', 'person', OLD.owner_id, OLD.client_id,
          jsonb_build_object('identifier', OLD.identifier, 'name', OLD.name));
        RETURN NULL;
      END IF;
      IF TG_OP = 'INSERT' THEN
        PERFORM audit('api.created', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('identifier', NEW.identifier, 'name', NEW.name, 'scopes', NEW.scopes));
        RETURN NULL;
      END IF;
      changed := array_remove(ARRAY[
        CASE WHEN NEW.name <> OLD.name THEN 'name' END,
        CASE WHEN NEW.scopes <> OLD.scopes THEN 'scopes' END,
        CASE WHEN NEW.scope_descriptions <> OLD.scope_descriptions THEN 'scope_descriptions' END,
        CASE WHEN NEW.access_token_alg <> OLD.access_token_alg THEN 'access_token_alg' END,
        CASE WHEN NEW.is_proven <> OLD.is_proven THEN 'is_proven' END,
        CASE WHEN NEW.client_id IS DISTINCT FROM OLD.client_id THEN 'client_id' END], NULL);
      IF changed <> '{}' THEN
        PERFORM audit('api.changed', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('identifier', NEW.identifier, 'name', NEW.name, 'scopes', NEW.scopes,
            'access_token_alg', NEW.access_token_alg, 'changed', changed));
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "resource_server_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "scopes", "scope_descriptions", "client_id"
  ON "resource_server" FOR EACH ROW
  EXECUTE FUNCTION "audit_resource_server"();

-- Where an event came from. Not part of what the seals cover, because a job shortens it after 7 days.
CREATE TABLE "audit_address" (
  "event_id" bigint         NOT NULL,
  "address"  inet           NOT NULL,
  "at"       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- False once only the network is left.
  "is_full"  boolean        NOT NULL DEFAULT true,

  CONSTRAINT "audit_address_pkey" PRIMARY KEY ("event_id"),
  CONSTRAINT "audit_address_is_full_check" CHECK ("is_full" = (masklen("address") = CASE family("address") WHEN 4 THEN 32 ELSE 128 END))
);

-- The job that shortens addresses.
CREATE INDEX "audit_address_at_idx" ON "audit_address" ("at") WHERE "is_full";

CREATE FUNCTION "audit_operator"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.operator_since IS NULL THEN 'account.operator_revoked' ELSE 'account.operator_granted' END,
        'service', NEW.id, NULL);
      RETURN NULL;
    END
  $$;

-- The role also ends by a suspension or deletion, whose statement does not name the column.
CREATE TRIGGER "account_audit_operator" AFTER UPDATE OF "operator_since", "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN (OLD."operator_since" IS DISTINCT FROM NEW."operator_since")
  EXECUTE FUNCTION "audit_operator"();

CREATE FUNCTION "audit_email"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.email_ci <> OLD.email_ci THEN 'account.email_changed' ELSE 'account.email_confirmed' END,
        'person', NEW.id, NULL);
      RETURN NULL;
    END
  $$;

-- An erased account loses its address, too.
CREATE TRIGGER "account_audit_email" AFTER UPDATE OF "email_ci", "email_verified_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NULL AND (
    NEW."email_ci" <> OLD."email_ci" OR (NEW."email_verified_at" IS NOT NULL AND OLD."email_verified_at" IS NULL)))
  EXECUTE FUNCTION "audit_email"();
