-- Operators verify applications. The mark ends with the name, logo, website or owner it stands for.

ALTER TABLE "application"
  ADD COLUMN "verified_at" timestamptz(3),
  -- The key of the name of a verified application, by toNameKey(); null for other applications.
  ADD COLUMN "name_key" text,
  ADD CONSTRAINT "application_name_key_check" CHECK ("name_key" IS NULL OR "verified_at" IS NOT NULL);

-- For every new name of an application: does it look like the one of a verified application?
CREATE INDEX "application_name_key_idx" ON "application" ("name_key") WHERE "name_key" IS NOT NULL;

CREATE FUNCTION "end_verification_of_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF (NEW.name, NEW.website_uri, NEW.owner_id) IS DISTINCT FROM (OLD.name, OLD.website_uri, OLD.owner_id) THEN
        NEW.verified_at := NULL;
        NEW.name_key := NULL;
      END IF;
      RETURN NEW;
    END
  $$;
CREATE TRIGGER "application_end_verification" BEFORE UPDATE OF "name", "website_uri", "owner_id" ON "application" FOR EACH ROW
  WHEN (OLD."verified_at" IS NOT NULL)
  EXECUTE FUNCTION "end_verification_of_application"();

-- Without a condition on "verified_at": the update then waits for an operator who verifies the application at the same
-- time, and ends that verification, too.
CREATE FUNCTION "end_verification_by_logo"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      UPDATE application SET verified_at = NULL, name_key = NULL WHERE client_id = COALESCE(NEW.client_id, OLD.client_id);
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "application_logo_end_verification" AFTER INSERT OR UPDATE OR DELETE ON "application_logo" FOR EACH ROW
  EXECUTE FUNCTION "end_verification_by_logo"();

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

-- The history of one application, the latest first.
DROP INDEX "audit_event_of_application_idx";
CREATE INDEX "audit_event_of_application_idx" ON "audit_event" ("client_id", "id" DESC)
  WHERE "event" IN ('application.created', 'application.changed', 'application.described', 'application.verified',
    'application.unverified', 'application.paused', 'application.resumed', 'application.suspended',
    'application.unsuspended', 'secret.added', 'secret.renamed', 'secret.retired', 'secret.removed', 'code.replayed',
    'token.reused');

-- As before, but the two new columns are no settings.
CREATE OR REPLACE FUNCTION "audit_application_settings"() RETURNS trigger
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
           'verified_at', 'name_key');
      PERFORM audit('application.changed', 'person', NEW.owner_id, NEW.client_id,
        jsonb_build_object('scopes', NEW.scopes, 'optional_scopes', NEW.optional_scopes,
          'implicit', 'implicit' = ANY(NEW.grant_types), 'settings', settings));
      RETURN NULL;
    END
  $$;
