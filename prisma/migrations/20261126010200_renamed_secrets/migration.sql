-- Secrets can be called otherwise later; the history of the application tells.

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

-- The history of one application, the latest first.
DROP INDEX "audit_event_of_application_idx";
CREATE INDEX "audit_event_of_application_idx" ON "audit_event" ("client_id", "id" DESC)
  WHERE "event" IN ('application.created', 'application.changed', 'application.described', 'application.paused',
    'application.resumed', 'application.suspended', 'application.unsuspended', 'secret.added', 'secret.renamed',
    'secret.retired', 'secret.removed', 'code.replayed', 'token.reused');
