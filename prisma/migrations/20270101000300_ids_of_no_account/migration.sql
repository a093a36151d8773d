-- Rows of no account, such as events of the audit log, are ordered by their ids. In a burst, ids of one millisecond ascend only within a
-- shard, so these rows have one shard. Accounts have a random one.
CREATE FUNCTION "next_account_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$ SELECT next_id(floor(random() * 1024)::bigint << 2) $$;
ALTER TABLE "account" ALTER COLUMN "id" SET DEFAULT next_account_id();

CREATE OR REPLACE FUNCTION "next_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$ SELECT next_id(0) $$;
