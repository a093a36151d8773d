-- First answers of writes that were sent with an Idempotency-Key. Logged: the record must outlive a crash
-- as the write does, whose transaction it belongs to.
CREATE TABLE "idempotency_record" (
  -- SHA-256 of application, account, route and key: the key itself is not kept.
  "scope_sha256" bytea          NOT NULL,
  -- HMAC-SHA-256 of method and parameters under the key.
  "fingerprint"  bytea          NOT NULL,
  -- The answer as it was sent; NULL within the transaction that writes it.
  "answer"       text,
  "expires_at"   timestamptz(3) NOT NULL,

  CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("scope_sha256"),
  CONSTRAINT "idempotency_record_scope_sha256_check" CHECK (octet_length("scope_sha256") = 32),
  CONSTRAINT "idempotency_record_fingerprint_check" CHECK (octet_length("fingerprint") = 32)
);

-- The sweep of what has expired.
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record" ("expires_at");
