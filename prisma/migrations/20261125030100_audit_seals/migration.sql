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

CREATE TRIGGER "audit_seal_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_seal" FOR EACH STATEMENT
  EXECUTE FUNCTION "refuse_audit_change"();

-- The seal over the events after `from_id` up to `to_id` (RFC 8785's idea by PostgreSQL's own means: jsonb has one text).
CREATE FUNCTION "audit_seal_of"("previous" bytea, "from_id" bigint, "up_to_id" bigint)
  RETURNS TABLE ("events" integer, "sha256" bytea)
  LANGUAGE sql STABLE
  AS $$
    SELECT count(*)::integer,
      sha256("previous" || convert_to(COALESCE(string_agg(
        jsonb_build_array(e.id, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), e.event, e.actor,
          e.account_id, e.client_id, e.request_id, e.detail)::text, E'\n' ORDER BY e.id), ''), 'UTF8'))
    FROM audit_event e
    WHERE e.id > "from_id" AND e.id <= "up_to_id"
  $$;
