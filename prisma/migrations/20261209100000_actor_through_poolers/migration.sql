-- Who works on a connection: `service`, `operator`, or NULL if it does not say. Poolers in transaction mode lose
-- `linnet.actor`, but pass `application_name` on with each transaction.
CREATE FUNCTION "linnet_actor"() RETURNS text
  LANGUAGE sql STABLE
  AS $$
    SELECT COALESCE(NULLIF(current_setting('linnet.actor', true), ''),
                    substring(current_setting('application_name') FROM '^linnet (service|operator)$'))
  $$;

CREATE OR REPLACE FUNCTION "audit"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS void
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
      of_account, of_client, with_detail)
  $$;

DROP TRIGGER "account_email_vouched" ON "account";
CREATE TRIGGER "account_email_vouched" BEFORE INSERT ON "account" FOR EACH ROW
  WHEN (linnet_actor() = 'operator')
  EXECUTE FUNCTION "vouch_for_email"();
