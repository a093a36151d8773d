-- Applications say which scopes people may leave out, and why they ask for each; a grant may have an end.

-- True for an object of texts, none blank and none longer than 200 characters.
CREATE FUNCTION "are_scope_reasons"("reasons" jsonb) RETURNS boolean
  LANGUAGE sql IMMUTABLE
  AS $$
    SELECT jsonb_typeof(reasons) = 'object'
       AND NOT jsonb_path_exists(reasons, '$.* ? (@.type() != "string" || !(@ like_regex "^.{1,200}$" flag "s"))')
  $$;

ALTER TABLE "application"
  ADD COLUMN "optional_scopes" text[] NOT NULL DEFAULT '{}',
  ADD COLUMN "scope_reasons"   jsonb  NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "application_optional_scopes_check" CHECK ("optional_scopes" <@ COALESCE("scopes", '{}')),
  ADD CONSTRAINT "application_scope_reasons_check" CHECK (are_scope_reasons("scope_reasons"));

-- Until now the e-mail address was the one thing that people could leave out, whatever the application. No update
-- of `epoch`: tokens stay as they are.
UPDATE "application" SET "optional_scopes" = '{email}' WHERE "scopes" @> '{email}';

ALTER TABLE "grant"
  -- Known to applications; ascends with time.
  ADD COLUMN "number"  bigint         NOT NULL DEFAULT next_id(),
  -- From then on it gives nothing, whether or not somebody has marked it as revoked; NULL: until somebody ends it.
  ADD COLUMN "ends_at" timestamptz(3),
  ADD CONSTRAINT "grant_ends_at_check" CHECK ("ends_at" IS NULL OR "kind" = 'consent');

CREATE UNIQUE INDEX "grant_number_key" ON "grant" ("number");
-- The job that ends what is past its end: a trigger then tells the revocation feed.
CREATE INDEX "grant_ends_at_idx" ON "grant" ("ends_at") WHERE "revoked_at" IS NULL;

CREATE OR REPLACE FUNCTION "audit_grant"() RETURNS trigger
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
        -- Nobody ends what is past its end.
        CASE WHEN TG_OP = 'UPDATE' AND OLD.revoked_at IS NULL AND NEW.revoked_at >= NEW.ends_at THEN 'service' ELSE 'person' END::audit_actor,
        NEW.account_id, NEW.client_id,
        jsonb_build_object('kind', NEW.kind, 'grant_id', NEW.id, 'scopes', NEW.scopes, 'ends_at', NEW.ends_at));
      RETURN NULL;
    END
  $$;
DROP TRIGGER "grant_audit" ON "grant";
CREATE TRIGGER "grant_audit" AFTER UPDATE OF "scopes", "revoked_at", "ends_at" ON "grant" FOR EACH ROW
  WHEN ((OLD."scopes", OLD."revoked_at", OLD."ends_at") IS DISTINCT FROM (NEW."scopes", NEW."revoked_at", NEW."ends_at"))
  EXECUTE FUNCTION "audit_grant"();

CREATE OR REPLACE FUNCTION "audit_application_settings"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('application.changed', 'person', NEW.owner_id, NEW.client_id,
        jsonb_build_object('scopes', NEW.scopes, 'optional_scopes', NEW.optional_scopes, 'implicit', NEW.implicit));
      RETURN NULL;
    END
  $$;
