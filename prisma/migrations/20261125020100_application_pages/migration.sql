-- What the owner of an application sees and says of it: how it is used, that it is paused, how it looks, and
-- what happened to it.

-- Written in batches, each second, by both servers: tokens by one, calls and errors by the other.
CREATE TABLE "application_usage" (
  "client_id"    varchar(64)    NOT NULL,
  -- Of UTC.
  "day"          date           NOT NULL,
  "tokens"       bigint         NOT NULL DEFAULT 0,
  "calls"        bigint         NOT NULL DEFAULT 0,
  -- Of the calls: those that were answered 4xx or 5xx.
  "errors"       bigint         NOT NULL DEFAULT 0,
  "last_used_at" timestamptz(3) NOT NULL,

  CONSTRAINT "application_usage_pkey" PRIMARY KEY ("client_id", "day"),
  CONSTRAINT "application_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_usage_counts_check" CHECK ("tokens" >= 0 AND "errors" >= 0 AND "errors" <= "calls")
);

-- The sweep of old days.
CREATE INDEX "application_usage_day_idx" ON "application_usage" ("day");

ALTER TABLE "application"
  -- By its owner; `suspended_at` is set by operators.
  ADD COLUMN "paused_at"   timestamptz(3),
  ADD COLUMN "website_uri" varchar(2048),
  ADD COLUMN "terms_uri"   varchar(2048),
  ADD COLUMN "privacy_uri" varchar(2048),
  ADD CONSTRAINT "application_links_check" CHECK (
    COALESCE("website_uri", 'https://') ~ '^https?://' AND COALESCE("terms_uri", 'https://') ~ '^https?://'
    AND COALESCE("privacy_uri", 'https://') ~ '^https?://'
  );

-- A picture that was drawn anew by the decoder, so it is small and kept with the application.
CREATE TABLE "application_logo" (
  "client_id" varchar(64) NOT NULL,
  -- Random, with the type at its end: its address. Another picture has another one.
  "name"      varchar(36) NOT NULL,
  "bytes"     bytea       NOT NULL,

  CONSTRAINT "application_logo_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "application_logo_name_key" UNIQUE ("name"),
  CONSTRAINT "application_logo_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_logo_name_check" CHECK ("name" ~ '\A[0-9a-f]{32}[.](png|jpg)\Z'),
  CONSTRAINT "application_logo_bytes_check" CHECK (octet_length("bytes") BETWEEN 1 AND 1048576)
);

-- The history of one application, the latest first.
CREATE INDEX "audit_event_of_application_idx" ON "audit_event" ("client_id", "id" DESC)
  WHERE "event" IN ('application.created', 'application.changed', 'application.described', 'application.paused',
    'application.resumed', 'application.suspended', 'application.unsuspended', 'secret.added', 'secret.retired',
    'secret.removed', 'code.replayed', 'token.reused');

-- A paused application has no good tokens either.
CREATE OR REPLACE FUNCTION "revoke_tokens_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM revoke_tokens('client', OLD.client_id, NULL);
      ELSE
        PERFORM revoke_tokens('client', NEW.client_id,
          CASE WHEN NEW.suspended_at IS NULL AND NEW.paused_at IS NULL THEN NEW.epoch END);
      END IF;
      RETURN NULL;
    END
  $$;

CREATE FUNCTION "audit_application_pause"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit(CASE WHEN NEW.paused_at IS NULL THEN 'application.resumed' ELSE 'application.paused' END,
        'person', NEW.owner_id, NEW.client_id);
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "application_audit_pause" AFTER UPDATE OF "paused_at" ON "application" FOR EACH ROW
  WHEN ((OLD."paused_at" IS NULL) <> (NEW."paused_at" IS NULL))
  EXECUTE FUNCTION "audit_application_pause"();

CREATE FUNCTION "audit_application_description"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_owner bigint;
    BEGIN
      IF TG_TABLE_NAME = 'application' THEN
        PERFORM audit('application.described', 'person', NEW.owner_id, NEW.client_id);
        RETURN NULL;
      END IF;
      SELECT owner_id INTO of_owner FROM application WHERE client_id = COALESCE(NEW.client_id, OLD.client_id);
      -- A logo that goes with its application is told of by its event.
      IF FOUND THEN
        PERFORM audit('application.described', 'person', of_owner, COALESCE(NEW.client_id, OLD.client_id));
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "application_audit_links" AFTER UPDATE OF "website_uri", "terms_uri", "privacy_uri" ON "application" FOR EACH ROW
  WHEN ((OLD."website_uri", OLD."terms_uri", OLD."privacy_uri") IS DISTINCT FROM (NEW."website_uri", NEW."terms_uri", NEW."privacy_uri"))
  EXECUTE FUNCTION "audit_application_description"();
CREATE TRIGGER "application_logo_audit" AFTER INSERT OR UPDATE OR DELETE ON "application_logo" FOR EACH ROW
  EXECUTE FUNCTION "audit_application_description"();
