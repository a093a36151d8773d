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

-- Only a transaction with a checkpoint may delete, and only what the checkpoint covers.
DROP TRIGGER "audit_event_append_only" ON "audit_event";
CREATE TRIGGER "audit_event_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_event" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();
DROP TRIGGER "audit_seal_append_only" ON "audit_seal";
CREATE TRIGGER "audit_seal_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_seal" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();

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

-- The text of an event that seals hash and archives contain.
CREATE FUNCTION "audit_event_text"("e" "audit_event") RETURNS text
  LANGUAGE sql STABLE
  AS $$
    SELECT jsonb_build_array(e.id, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), e.event, e.actor,
      e.account_id, e.client_id, e.request_id, e.detail)::text
  $$;

CREATE OR REPLACE FUNCTION "audit_seal_of"("previous" bytea, "from_id" bigint, "up_to_id" bigint)
  RETURNS TABLE ("events" integer, "sha256" bytea)
  LANGUAGE sql STABLE
  AS $$
    SELECT count(*)::integer,
      sha256("previous" || convert_to(COALESCE(string_agg(audit_event_text(e), E'\n' ORDER BY e.id), ''), 'UTF8'))
    FROM audit_event e
    WHERE e.id > "from_id" AND e.id <= "up_to_id"
  $$;
