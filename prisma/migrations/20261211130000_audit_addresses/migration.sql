-- Where an event came from. Not part of what the seals cover, because a job shortens it after 7 days.
CREATE TABLE "audit_address" (
  "event_id" bigint         NOT NULL,
  "address"  inet           NOT NULL,
  "at"       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- False once only the network is left.
  "is_full"  boolean        NOT NULL DEFAULT true,

  CONSTRAINT "audit_address_pkey" PRIMARY KEY ("event_id"),
  CONSTRAINT "audit_address_is_full_check" CHECK ("is_full" = (masklen("address") = CASE family("address") WHEN 4 THEN 32 ELSE 128 END))
);
-- The job that shortens addresses.
CREATE INDEX "audit_address_at_idx" ON "audit_address" ("at") WHERE "is_full";

-- The network: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
CREATE FUNCTION "shorten_address"("of_client" inet) RETURNS inet
  LANGUAGE sql IMMUTABLE STRICT
  AS $$ SELECT network(set_masklen(of_client, CASE family(of_client) WHEN 4 THEN 24 ELSE 48 END))::inet $$;

-- NULL if it is not an address.
CREATE FUNCTION "parse_address"("given" text) RETURNS inet
  LANGUAGE plpgsql IMMUTABLE STRICT
  AS $$
    BEGIN
      RETURN host(given::inet)::inet;
    EXCEPTION WHEN invalid_text_representation THEN
      RETURN NULL;
    END
  $$;

-- Like audit(), which calls it. Returns the id of the event.
CREATE FUNCTION "add_audit_event"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
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
      of_account, of_client, with_detail)
    RETURNING "id"
  $$;

CREATE OR REPLACE FUNCTION "audit"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS void
  LANGUAGE sql VOLATILE
  AS $$ SELECT add_audit_event(of_event, by_service, of_account, of_client, with_detail) $$;

-- A session can be ended from elsewhere, so only its begin has its address.
CREATE OR REPLACE FUNCTION "audit_session"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      event bigint := add_audit_event(CASE WHEN NEW.revoked_at IS NULL THEN 'session.begun' ELSE 'session.ended' END,
        'person', NEW.account_id, NULL);
    BEGIN
      IF NEW.revoked_at IS NULL AND parse_address(NEW.address) IS NOT NULL THEN
        INSERT INTO audit_address (event_id, address) VALUES (event, parse_address(NEW.address));
      END IF;
      RETURN NULL;
    END
  $$;
