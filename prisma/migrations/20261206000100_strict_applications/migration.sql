-- "Strict (FAPI 2.0)": one setting that fixes others. The constraint makes sure that no later change of another setting
-- weakens a strict application.

ALTER TABLE "application"
  ADD COLUMN "strict" boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT "application_strict_check" CHECK (NOT "strict" OR (
    "type" = 'confidential' AND ("jwks_uri" IS NOT NULL OR "jwks" IS NOT NULL)
    AND "require_pkce" AND "require_pushed_authorization_requests" AND "dpop_bound_access_tokens"
    AND "token_endpoint_auth_signing_alg" <> 'RS256' AND "id_token_signed_response_alg" <> 'RS256'
    AND "grant_types" <@ ARRAY['authorization_code', 'refresh_token', 'client_credentials']));
