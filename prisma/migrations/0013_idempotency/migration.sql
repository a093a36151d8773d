-- First answers of writes that were sent with an Idempotency-Key. Logged: the record must outlive a crash
-- as the write does, whose transaction it belongs to.
CREATE TABLE "idempotency_record" (
  -- SHA-256 of application, account, route and key: the key itself is not kept.
  "scope_sha256" bytea          NOT NULL,
  -- HMAC-SHA-256 of method and parameters under the key.
  "fingerprint"  bytea          NOT NULL,
  -- The answer, if there is no partition for it; otherwise NULL.
  "answer"       text,
  "expires_at"   timestamptz(3) NOT NULL,

  CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("scope_sha256"),
  CONSTRAINT "idempotency_record_scope_sha256_check" CHECK (octet_length("scope_sha256") = 32),
  CONSTRAINT "idempotency_record_fingerprint_check" CHECK (octet_length("fingerprint") = 32)
);

-- The sweep of what has expired.
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record" ("expires_at");

-- Responses to requests with an Idempotency-Key are large and live for a day. They move to partitions, which are dropped
-- (docs/decisions/0025-partitions.md). The unique keys, for which concurrent requests wait, stay in one small table.
CREATE TABLE "idempotency_answer" (
  -- As in the record.
  "scope_sha256" bytea          NOT NULL,
  "expires_at"   timestamptz(3) NOT NULL,
  "answer"       text           NOT NULL,

  -- The record knows both.
  CONSTRAINT "idempotency_answer_pkey" PRIMARY KEY ("expires_at", "scope_sha256")
) PARTITION BY RANGE ("expires_at");

-- Stores a response in the partition of its expiry. Without one, it goes to the record: a write is never rejected.
CREATE FUNCTION "store_idempotency_answer"("scope" bytea, "expiry" timestamptz(3), "response" text) RETURNS void
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF to_regclass(partition_name('idempotency_answer', '3 hours', "expiry")) IS NULL THEN
      UPDATE idempotency_record SET answer = "response" WHERE scope_sha256 = "scope";
    ELSE
      INSERT INTO idempotency_answer (scope_sha256, expires_at, answer) VALUES ("scope", "expiry", "response");
    END IF;
  END
  $$;

-- The job "partitions" creates the next ones.
SELECT create_partitions('idempotency_answer', '3 hours', now() + interval '24 hours', now() + interval '60 hours');
