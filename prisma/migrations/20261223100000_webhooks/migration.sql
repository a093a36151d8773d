-- Webhooks: events that are sent to an address of an application, for people who authorized it.

CREATE TABLE "webhook_endpoint" (
  "id"                  bigint         NOT NULL DEFAULT next_id(),
  "client_id"           varchar(256)   NOT NULL,
  "url"                 varchar(2048)  NOT NULL,
  "events"              "event_kind"[] NOT NULL,
  -- Encrypted with SECRET_KEYS: it signs what is sent, so it must be readable.
  "secret_jwe"          text           NOT NULL,
  -- Signs too, until then, so that the receiver can change the secret without losing a message.
  "previous_secret_jwe" text,
  "previous_until"      timestamptz(3),
  -- How often the secret was changed; encrypting it again does not count.
  "rotations"           integer        NOT NULL DEFAULT 0,
  "created_at"          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Since when no message arrived; null if the last one did.
  "failing_since"       timestamptz(3),
  -- Nothing is sent any more, after it failed for days, until its owner turns it on again.
  "off_since"           timestamptz(3),

  CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_endpoint_client_id_url_key" UNIQUE ("client_id", "url"),
  CONSTRAINT "webhook_endpoint_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_endpoint_events_check" CHECK (cardinality("events") > 0),
  CONSTRAINT "webhook_endpoint_previous_check" CHECK (("previous_secret_jwe" IS NULL) = ("previous_until" IS NULL))
);

-- The events up to here have their deliveries. One row.
CREATE TABLE "webhook_cursor" (
  "only"     boolean NOT NULL DEFAULT true,
  "position" bigint  NOT NULL,

  CONSTRAINT "webhook_cursor_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "webhook_cursor_only_check" CHECK ("only")
);
INSERT INTO "webhook_cursor" ("position") VALUES (0);

CREATE TYPE "webhook_state" AS ENUM ('pending', 'delivered', 'failed', 'dropped');

CREATE TABLE "webhook_delivery" (
  "id"          bigint          NOT NULL DEFAULT next_id(),
  -- Stays the same in every attempt, also when it is sent again.
  "message_id"  varchar(64)     NOT NULL DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  "endpoint_id" bigint          NOT NULL,
  -- The person who authorized the application, and because of whom it is sent.
  "account_id"  bigint          NOT NULL,
  -- Deliveries to one endpoint about one object are made in the order of their positions.
  "object"      text            NOT NULL,
  "position"    bigint          NOT NULL,
  -- From the event, which is deleted after a day.
  "kind"        "event_kind"    NOT NULL,
  "actor_id"    bigint          NOT NULL,
  "concerned_id" bigint,
  "post_id"     bigint,
  "comment_id"  bigint,
  "happened_at" timestamptz(3)  NOT NULL,
  "state"       "webhook_state" NOT NULL DEFAULT 'pending',
  "attempts"    integer         NOT NULL DEFAULT 0,
  -- The status of the last response; null if there was none.
  "status"      smallint,
  "created_at"  timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),
  -- Since when it waits; later than created_at if it is sent again.
  "queued_at"   timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),
  "due_at"      timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_delivery_message_id_key" UNIQUE ("message_id"),
  CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_delivery_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_delivery_attempts_check" CHECK ("attempts" >= 0)
);

CREATE INDEX "webhook_delivery_due_at_idx" ON "webhook_delivery" ("due_at") WHERE "state" = 'pending';
COMMENT ON INDEX "webhook_delivery_due_at_idx" IS 'How long deliveries have waited.';
CREATE INDEX "webhook_delivery_endpoint_id_due_at_idx" ON "webhook_delivery" ("endpoint_id", "due_at") WHERE "state" = 'pending';
COMMENT ON INDEX "webhook_delivery_endpoint_id_due_at_idx" IS 'The endpoints with deliveries that wait, and when the next one is due.';
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("endpoint_id", "object", "position") WHERE "state" = 'pending';
COMMENT ON INDEX "webhook_delivery_pending_idx" IS 'Whether an earlier delivery about the object waits; what waits for an endpoint.';
CREATE INDEX "webhook_delivery_endpoint_id_id_idx" ON "webhook_delivery" ("endpoint_id", "id" DESC);
COMMENT ON INDEX "webhook_delivery_endpoint_id_id_idx" IS 'The log of an endpoint; its deletion.';
CREATE INDEX "webhook_delivery_account_id_idx" ON "webhook_delivery" ("account_id");
COMMENT ON INDEX "webhook_delivery_account_id_idx" IS 'The deliveries about a person, when the account is erased.';
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery" ("created_at");
COMMENT ON INDEX "webhook_delivery_created_at_idx" IS 'The sweep of old deliveries.';

CREATE FUNCTION "erase_webhook_deliveries"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      DELETE FROM webhook_delivery WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_erase_webhook_deliveries" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL)
  EXECUTE FUNCTION "erase_webhook_deliveries"();

CREATE FUNCTION "audit_webhook_endpoint"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      endpoint webhook_endpoint := COALESCE(NEW, OLD);
      of_owner bigint;
    BEGIN
      SELECT owner_id INTO of_owner FROM application WHERE client_id = endpoint.client_id;
      -- What is deleted with its application has no entry of its own.
      IF NOT FOUND THEN RETURN NULL; END IF;
      PERFORM audit(
        CASE
          WHEN TG_OP = 'INSERT' THEN 'webhook.added'
          WHEN TG_OP = 'DELETE' THEN 'webhook.removed'
          WHEN NEW.off_since IS NOT NULL AND OLD.off_since IS NULL THEN 'webhook.switched_off'
          WHEN NEW.off_since IS NULL AND OLD.off_since IS NOT NULL THEN 'webhook.switched_on'
          WHEN NEW.rotations <> OLD.rotations THEN 'webhook.secret_changed'
          ELSE 'webhook.changed'
        END,
        CASE WHEN TG_OP = 'UPDATE' AND NEW.off_since IS NOT NULL AND OLD.off_since IS NULL THEN 'service' ELSE 'person' END::audit_actor,
        of_owner, endpoint.client_id, jsonb_build_object('endpoint_id', endpoint.id::text, 'events', endpoint.events));
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "webhook_endpoint_audit" AFTER INSERT OR DELETE ON "webhook_endpoint" FOR EACH ROW
  EXECUTE FUNCTION "audit_webhook_endpoint"();
CREATE TRIGGER "webhook_endpoint_audit_change" AFTER UPDATE OF "events", "rotations", "off_since" ON "webhook_endpoint" FOR EACH ROW
  WHEN ((OLD."events", OLD."rotations", OLD."off_since") IS DISTINCT FROM (NEW."events", NEW."rotations", NEW."off_since"))
  EXECUTE FUNCTION "audit_webhook_endpoint"();

ALTER TYPE "mail_kind" ADD VALUE 'webhook_off' AFTER 'account_restored';
