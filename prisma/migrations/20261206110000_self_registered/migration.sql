-- Applications that registered themselves (RFC 7591): they have no owner, and a token to manage their registration.
ALTER TABLE "application"
  ALTER COLUMN "owner_id" DROP NOT NULL,
  ADD COLUMN "registration_token_sha256" bytea,
  ADD CONSTRAINT "application_registration_token_sha256_check" CHECK (octet_length("registration_token_sha256") = 32),
  ADD CONSTRAINT "application_self_registered_check" CHECK (("owner_id" IS NULL) = ("registration_token_sha256" IS NOT NULL)),
  -- Verification is about an owner.
  ADD CONSTRAINT "application_self_registered_verified_check" CHECK ("owner_id" IS NOT NULL OR "verified_at" IS NULL),
  -- Without an owner there is nobody to act as, and nobody to ask about an application that acts by itself.
  ADD CONSTRAINT "application_self_registered_grant_types_check" CHECK (
    "owner_id" IS NOT NULL OR "grant_types" <@ ARRAY['authorization_code', 'refresh_token']);

-- What a person does to an application has an account: its owner. Without one, the application did it, or a job.
CREATE OR REPLACE FUNCTION "audit"("of_event" text, "by_service" "audit_actor", "of_account" bigint, "of_client" text, "with_detail" jsonb DEFAULT '{}')
  RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO "audit_event" ("event", "actor", "account_id", "client_id", "detail")
    VALUES (of_event,
      CASE current_setting('linnet.actor', true)
        WHEN 'service' THEN
          CASE WHEN by_service <> 'person' OR of_account IS NOT NULL OR of_client IS NULL THEN by_service
               WHEN current_setting('linnet.job', true) = 'on' THEN 'service'
               ELSE 'application' END
        WHEN 'operator' THEN 'operator'
        ELSE 'unknown' END,
      of_account, of_client, with_detail)
  $$;
