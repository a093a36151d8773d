-- Each algorithm has keys of its own: ES256 for access tokens, ES256 and RS256 for ID tokens.
ALTER TABLE "signing_key" ADD CONSTRAINT "signing_key_alg_check" CHECK ("alg" IN ('ES256', 'RS256'));

-- One key of each algorithm signs.
DROP INDEX "signing_key_current_key";
CREATE UNIQUE INDEX "signing_key_current_key" ON "signing_key" ("alg") WHERE "state" = 'current';

-- No member of a private key (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
ALTER TABLE "signing_key" DROP CONSTRAINT "signing_key_public_jwk_check";
ALTER TABLE "signing_key" ADD CONSTRAINT "signing_key_public_jwk_check"
  CHECK (NOT "public_jwk" ?| ARRAY['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

-- The algorithm of an application's ID tokens: RS256, which every client supports. Existing applications keep theirs.
ALTER TABLE "application" ADD COLUMN "id_token_signed_response_alg" varchar(16) NOT NULL DEFAULT 'ES256'
  CONSTRAINT "application_id_token_signed_response_alg_check" CHECK ("id_token_signed_response_alg" IN ('ES256', 'RS256'));
ALTER TABLE "application" ALTER COLUMN "id_token_signed_response_alg" SET DEFAULT 'RS256';
