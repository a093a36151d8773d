-- Operators are accounts that may use /admin. Only the command gives the role.
ALTER TABLE "account" ADD COLUMN "operator_since" timestamptz(3);

-- Restoring the account does not give the role back.
CREATE FUNCTION "end_operator"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.operator_since := NULL;
      RETURN NEW;
    END
  $$;
CREATE TRIGGER "account_end_operator" BEFORE UPDATE OF "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN (NEW."operator_since" IS NOT NULL AND (NEW."suspended_at" IS NOT NULL OR NEW."deleted_at" IS NOT NULL))
  EXECUTE FUNCTION "end_operator"();

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

-- Who acts in this transaction on a page for operators, and why: part of the detail of every event of the transaction.
CREATE FUNCTION "operator_act"() RETURNS jsonb
  LANGUAGE sql STABLE
  AS $$
    SELECT CASE WHEN COALESCE(current_setting('linnet.operator', true), '') = '' THEN '{}'
           ELSE jsonb_build_object('operator', current_setting('linnet.operator'), 'reason', current_setting('linnet.reason', true)) END
  $$;

CREATE OR REPLACE FUNCTION "add_audit_event"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
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
      of_account, of_client, with_detail || operator_act())
    RETURNING "id"
  $$;
