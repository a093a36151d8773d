-- The history of the APIs of an account, the latest first.
CREATE INDEX "audit_event_of_apis_idx" ON "audit_event" ("account_id", "id" DESC)
  WHERE "event" IN ('api.created', 'api.changed', 'api.deleted');

-- As before, with the settings that changed; without an event if none did.
CREATE OR REPLACE FUNCTION "audit_resource_server"() RETURNS trigger
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
        CASE WHEN NEW.client_id IS DISTINCT FROM OLD.client_id THEN 'client_id' END], NULL);
      IF changed <> '{}' THEN
        PERFORM audit('api.changed', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('identifier', NEW.identifier, 'name', NEW.name, 'scopes', NEW.scopes, 'changed', changed));
      END IF;
      RETURN NULL;
    END
  $$;
