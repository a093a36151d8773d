-- Applications that sign their requests with keys of their own (private_key_jwt) and have no secret:
-- the address of their keys, or the keys themselves.
ALTER TABLE "application"
  ADD COLUMN "jwks_uri" varchar(2048),
  ADD COLUMN "jwks" jsonb,
  ADD CONSTRAINT "application_keys_check"
    CHECK (num_nonnulls("jwks_uri", "jwks") <= (CASE WHEN "type" = 'confidential' THEN 1 ELSE 0 END)),
  ADD CONSTRAINT "application_jwks_check" CHECK (jsonb_typeof("jwks" -> 'keys') = 'array');
