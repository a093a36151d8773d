-- APIs of developers, which accept access tokens of this service: resource servers (RFC 6749) with registered audiences
-- (RFC 8707) and scopes of their own.
CREATE TABLE "resource_server" (
  "id" bigint NOT NULL DEFAULT next_id(),
  -- The value of the parameter `resource`, and of `aud`. Never changes.
  "identifier" varchar(512) NOT NULL,
  "owner_id" bigint NOT NULL,
  -- The application that may introspect tokens for the API; it counts only while it has the same owner.
  "client_id" varchar(64),
  "name" varchar(60) NOT NULL,
  -- In the order in which people see them.
  "scopes" text[] NOT NULL,
  -- What each scope allows, by scope.
  "scope_descriptions" jsonb NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  -- Raised when a scope is removed: tokens for the API that were issued before are no longer active.
  "epoch" integer NOT NULL DEFAULT 0,
  CONSTRAINT "resource_server_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "resource_server_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "resource_server_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE SET NULL ON UPDATE RESTRICT,
  -- In grants, the scope S of an API with the identifier I is stored as I#S, so neither may contain what separates them.
  CONSTRAINT "resource_server_identifier_check" CHECK ("identifier" ~ '^https?://[^[:space:]#]+$'),
  CONSTRAINT "resource_server_name_check" CHECK (btrim("name") <> ''),
  CONSTRAINT "resource_server_scopes_check" CHECK (cardinality("scopes") BETWEEN 1 AND 30 AND array_position("scopes", NULL) IS NULL),
  CONSTRAINT "resource_server_scope_descriptions_check" CHECK (jsonb_typeof("scope_descriptions") = 'object')
);
-- Every request that names the API.
CREATE UNIQUE INDEX "resource_server_identifier_key" ON "resource_server" ("identifier");
-- The APIs of an account.
CREATE INDEX "resource_server_owner_id_created_at_idx" ON "resource_server" ("owner_id", "created_at");
-- When an application is deleted.
CREATE INDEX "resource_server_client_id_idx" ON "resource_server" ("client_id");

-- The grants with scopes of an API, which lose them when the API loses them. Written by a trigger of "grant".
CREATE TABLE "grant_resource_server" (
  "grant_id" varchar(64) NOT NULL,
  "resource_server_id" bigint NOT NULL,
  CONSTRAINT "grant_resource_server_pkey" PRIMARY KEY ("grant_id", "resource_server_id"),
  CONSTRAINT "grant_resource_server_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "grant_resource_server_resource_server_id_fkey" FOREIGN KEY ("resource_server_id") REFERENCES "resource_server" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);
-- The grants of an API that changes.
CREATE INDEX "grant_resource_server_resource_server_id_idx" ON "grant_resource_server" ("resource_server_id");

-- Scopes of our own API contain no `#`. FOR KEY SHARE waits for an API that is being deleted: another developer may
-- register its identifier next, and must not inherit its consents.
CREATE FUNCTION "link_resource_servers_of_grant"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    DECLARE
      known text[];
    BEGIN
      WITH found AS (
        SELECT r.id, r.identifier FROM resource_server r
         WHERE r.identifier IN (SELECT split_part(s, '#', 1) FROM unnest(NEW.scopes) s WHERE strpos(s, '#') > 0)
         ORDER BY r.id FOR KEY SHARE
      ), linked AS (
        INSERT INTO grant_resource_server (grant_id, resource_server_id) SELECT NEW.id, f.id FROM found f
        ON CONFLICT DO NOTHING
      )
      SELECT COALESCE(array_agg(f.identifier::text), '{}') INTO known FROM found f;
      IF EXISTS (SELECT 1 FROM unnest(NEW.scopes) s WHERE strpos(s, '#') > 0 AND split_part(s, '#', 1) <> ALL (known)) THEN
        UPDATE "grant" SET scopes = ARRAY(SELECT s FROM unnest(NEW.scopes) WITH ORDINALITY AS u (s, position)
                                           WHERE strpos(s, '#') = 0 OR split_part(s, '#', 1) = ANY (known) ORDER BY position)
         WHERE id = NEW.id;
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "grant_link_resource_servers_insert" AFTER INSERT ON "grant" FOR EACH ROW
  WHEN (strpos(array_to_string(NEW."scopes", ' '), '#') > 0)
  EXECUTE FUNCTION "link_resource_servers_of_grant"();
CREATE TRIGGER "grant_link_resource_servers" AFTER UPDATE OF "scopes" ON "grant" FOR EACH ROW
  -- Not for a grant that only loses scopes, which would then wait for an API that changes, while that waits for the grant.
  WHEN (NOT NEW."scopes" <@ OLD."scopes" AND strpos(array_to_string(NEW."scopes", ' '), '#') > 0)
  EXECUTE FUNCTION "link_resource_servers_of_grant"();

-- A scope that is removed, or goes with its API, leaves every grant: a later scope or API of that name must be granted
-- anew. The epoch of a grant revokes its tokens; its refresh tokens keep working for the scopes that are left.
CREATE FUNCTION "remove_scopes_of_resource_server"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    DECLARE
      removed text[] := OLD.scopes;
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        removed := ARRAY(SELECT s FROM unnest(OLD.scopes) s WHERE s <> ALL (NEW.scopes));
        IF removed = '{}' THEN RETURN NEW; END IF;
        NEW.epoch := OLD.epoch + 1;
      END IF;
      removed := ARRAY(SELECT OLD.identifier || '#' || s FROM unnest(removed) s);
      UPDATE "grant" g
         SET scopes = ARRAY(SELECT s FROM unnest(g.scopes) WITH ORDINALITY AS u (s, position)
                             WHERE s <> ALL (removed) ORDER BY position),
             epoch = g.epoch + 1
       WHERE g.id IN (SELECT grant_id FROM grant_resource_server WHERE resource_server_id = OLD.id)
         AND g.scopes && removed;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END
  $$;
CREATE TRIGGER "resource_server_remove_scopes" BEFORE UPDATE OF "scopes" OR DELETE ON "resource_server" FOR EACH ROW
  EXECUTE FUNCTION "remove_scopes_of_resource_server"();

CREATE FUNCTION "erase_resource_servers"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      DELETE FROM resource_server WHERE owner_id = NEW.id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_erase_resource_servers" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL)
  EXECUTE FUNCTION "erase_resource_servers"();

CREATE FUNCTION "audit_resource_server"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM audit('api.deleted', 'person', OLD.owner_id, OLD.client_id, jsonb_build_object('identifier', OLD.identifier));
      ELSE
        PERFORM audit(CASE TG_OP WHEN 'INSERT' THEN 'api.created' ELSE 'api.changed' END, 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('identifier', NEW.identifier, 'name', NEW.name, 'scopes', NEW.scopes));
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "resource_server_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "scopes", "scope_descriptions", "client_id"
  ON "resource_server" FOR EACH ROW
  EXECUTE FUNCTION "audit_resource_server"();

-- As before, but a scope that went with its API was not removed by the person.
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
        CASE WHEN TG_OP = 'UPDATE' AND OLD.revoked_at IS NULL AND NEW.revoked_at >= NEW.ends_at THEN 'service'
             -- The trigger of the API runs this one.
             WHEN TG_OP = 'UPDATE' AND NEW.scopes IS DISTINCT FROM OLD.scopes AND pg_trigger_depth() > 1 THEN 'service'
             ELSE 'person' END::audit_actor,
        NEW.account_id, NEW.client_id,
        jsonb_build_object('kind', NEW.kind, 'grant_id', NEW.id, 'scopes', NEW.scopes, 'ends_at', NEW.ends_at));
      RETURN NULL;
    END
  $$;
