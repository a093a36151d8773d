-- Proofs of possession (RFC 9449) that API servers have seen, until they are too old to be taken. Not
-- logged: after a crash of the database one could be repeated for a minute.
CREATE UNLOGGED TABLE "dpop_proof" (
  "id_sha256"  bytea          NOT NULL,
  "expires_at" timestamptz(3) NOT NULL,

  CONSTRAINT "dpop_proof_pkey" PRIMARY KEY ("id_sha256"),
  CONSTRAINT "dpop_proof_id_sha256_check" CHECK (octet_length("id_sha256") = 32)
);

-- Each proof that comes removes some that are too old.
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof" ("expires_at");
