-- What people see of the audit log under /account/activity: also a confirmed or changed e-mail address, and which session
-- began, so that its browser can be named as long as the session exists.

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

CREATE OR REPLACE FUNCTION "audit_session"() RETURNS trigger
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
