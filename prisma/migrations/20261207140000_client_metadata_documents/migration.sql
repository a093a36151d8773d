-- Clients whose client_id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). They are
-- applications without owner, and without a token to manage them: the document does that.

-- Longer texts of the same type: no table is rewritten.
ALTER TABLE "application" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "redirect_uri" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "application_secret" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "application_usage" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "application_logo" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "grant" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "backchannel_logout" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "request_log" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "playground_run" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "audit_event" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "audit_repeat" ALTER COLUMN "client_id" TYPE varchar(256);
ALTER TABLE "revocation" ALTER COLUMN "id" TYPE varchar(256);

ALTER TABLE "application"
  DROP CONSTRAINT "application_client_id_check",
  ADD CONSTRAINT "application_client_id_check" CHECK (
    "client_id" ~ '^[A-Za-z0-9_-]{16,64}$' AND "client_id" !~ '^[0-9]+$' OR "client_id" ~ '^https?://[!-~]+$'),
  DROP CONSTRAINT "application_self_registered_check",
  -- Nobody owns an application that registered itself or has a document, and only the former has a token.
  ADD CONSTRAINT "application_self_registered_check" CHECK (
    num_nonnulls("owner_id", "registration_token_sha256") = CASE WHEN "client_id" ~ '^https?://' THEN 0 ELSE 1 END);

-- When the document of a client was fetched. A row of its own, because a change of the application reaches every process.
CREATE TABLE "client_metadata_document" (
  "client_id"   varchar(256)   NOT NULL,
  "sha256"      bytea          NOT NULL,
  "etag"        varchar(256),
  "fetched_at"  timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then it is not fetched again.
  "fresh_until" timestamptz(3) NOT NULL,

  CONSTRAINT "client_metadata_document_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "client_metadata_document_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id")
    ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "client_metadata_document_sha256_check" CHECK (octet_length("sha256") = 32)
);

-- A client with a document can be deleted and come back under the same id. Its new tokens must not be revoked by its
-- deletion, and its old ones must stay revoked: the epoch goes on where it ended.
CREATE OR REPLACE FUNCTION "revoke_tokens_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM revoke_tokens('client', OLD.client_id, CASE WHEN OLD.client_id ~ '^https?://' THEN OLD.epoch + 1 END);
      ELSE
        PERFORM revoke_tokens('client', NEW.client_id, CASE WHEN NEW.suspended_at IS NULL THEN NEW.epoch END);
      END IF;
      RETURN NULL;
    END
  $$;

-- Seconds since 2026, which are ahead of any epoch that was only raised, also once the row of the deletion has expired.
CREATE FUNCTION "continue_epoch_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.epoch := GREATEST(
        EXTRACT(EPOCH FROM clock_timestamp() - timestamptz '2026-01-01 00:00:00+00')::integer,
        (SELECT r.epoch FROM revocation r WHERE r.kind = 'client' AND r.id = NEW.client_id));
      RETURN NEW;
    END
  $$;
CREATE TRIGGER "application_continue_epoch" BEFORE INSERT ON "application" FOR EACH ROW
  WHEN (NEW."client_id" ~ '^https?://')
  EXECUTE FUNCTION "continue_epoch_of_client"();
