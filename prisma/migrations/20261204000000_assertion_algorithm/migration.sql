-- The only algorithm of an application's client assertions. `any` is what every application could use before: ES256, PS256
-- or EdDSA.
ALTER TABLE "application"
  ADD COLUMN "token_endpoint_auth_signing_alg" varchar(16) NOT NULL DEFAULT 'any',
  ADD CONSTRAINT "application_token_endpoint_auth_signing_alg_check"
    CHECK ("token_endpoint_auth_signing_alg" IN ('any', 'ES256', 'PS256', 'EdDSA', 'RS256'));
