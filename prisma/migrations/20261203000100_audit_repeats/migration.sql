-- Refusals that repeat within a window are counted here, so that a flood adds few rows to the audit log. The first one of a
-- window is an event at once; the others become one event with their number when the window ends.
CREATE TABLE "audit_repeat" (
  -- SHA-256 of the event, its subject and the network it came from, which is not stored.
  "key"        bytea          NOT NULL,
  "event"      varchar(48)    NOT NULL,
  "actor"      "audit_actor"  NOT NULL,
  "account_id" bigint,
  "client_id"  varchar(64),
  "detail"     jsonb          NOT NULL,
  -- After the first.
  "repeats"    bigint         NOT NULL,
  "first_at"   timestamptz(3) NOT NULL,
  "last_at"    timestamptz(3) NOT NULL,
  "ends_at"    timestamptz(3) NOT NULL,

  CONSTRAINT "audit_repeat_pkey" PRIMARY KEY ("key"),
  CONSTRAINT "audit_repeat_key_check" CHECK (octet_length("key") = 32),
  CONSTRAINT "audit_repeat_repeats_check" CHECK ("repeats" >= 0)
);

-- The job that ends windows.
CREATE INDEX "audit_repeat_ends_at_idx" ON "audit_repeat" ("ends_at");
