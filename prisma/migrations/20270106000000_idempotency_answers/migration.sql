-- Responses to requests with an Idempotency-Key are large and live for a day. They move to partitions, which are dropped
-- (docs/adr/0025-partitions.md). The unique keys, for which concurrent requests wait, stay in one small table.
CREATE TABLE "idempotency_answer" (
  -- As in the record.
  "scope_sha256" bytea          NOT NULL,
  "expires_at"   timestamptz(3) NOT NULL,
  "answer"       text           NOT NULL,

  -- The record knows both.
  CONSTRAINT "idempotency_answer_pkey" PRIMARY KEY ("expires_at", "scope_sha256")
) PARTITION BY RANGE ("expires_at");

-- The partition of a time, as a name. Widths divide a day, so that every day has the same ones.
CREATE FUNCTION "partition_name"("parent" text, "width" interval, "at" timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT "parent" || to_char(date_bin("width", "at", '2026-01-01 00:00Z') AT TIME ZONE 'UTC', '_YYYYMMDDHH24') $$;

-- Creates the partitions that are missing for the times from "since" to "until". Attaching does not block writes, unlike CREATE TABLE … PARTITION OF.
CREATE FUNCTION "create_partitions"("parent" text, "width" interval, "since" timestamptz, "until" timestamptz) RETURNS void
  LANGUAGE plpgsql
  AS $$
  DECLARE
    starts timestamptz := date_bin("width", "since", '2026-01-01 00:00Z');
    name text;
  BEGIN
    WHILE starts < "until" LOOP
      name := partition_name("parent", "width", starts);
      IF to_regclass(quote_ident(name)) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING INDEXES)', name, "parent");
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "parent", name, starts, starts + "width");
      END IF;
      starts := starts + "width";
    END LOOP;
  END
  $$;

-- The partitions of all tables with their times.
CREATE VIEW "table_partition" AS
  SELECT parent.relname::text AS "parent", part.relname::text AS "name", bounds[1]::timestamptz AS "starts_at", bounds[2]::timestamptz AS "ends_at"
    FROM pg_inherits i JOIN pg_class parent ON parent.oid = i.inhparent JOIN pg_class part ON part.oid = i.inhrelid
    CROSS JOIN LATERAL regexp_match(pg_get_expr(part.relpartbound, part.oid), $$FROM \('(.+)'\) TO \('(.+)'\)$$) AS bounds
   WHERE part.relispartition AND parent.relkind = 'p' AND parent.relnamespace = current_schema()::regnamespace;

-- Takes the oldest partition that ended before a time out of its table, and returns its name. It waits at most 100 ms for statements in progress:
-- requests queue behind it. Its rows are deleted afterwards, while nothing waits for that (drop_detached_partition).
CREATE FUNCTION "detach_partition"("table_name" text, "before" timestamptz) RETURNS text
  LANGUAGE plpgsql
  SET lock_timeout = '100ms'
  AS $$
  DECLARE
    found text := (SELECT "name" FROM table_partition WHERE "parent" = "table_name" AND "ends_at" <= "before" ORDER BY "ends_at" LIMIT 1);
  BEGIN
    IF found IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', "table_name", found);
    END IF;
    RETURN found;
  END
  $$;

-- Drops a former partition of a table, and returns its name.
CREATE FUNCTION "drop_detached_partition"("table_name" text) RETURNS text
  LANGUAGE plpgsql
  SET lock_timeout = '100ms'
  AS $$
  DECLARE
    found text := (
      SELECT relname FROM pg_class WHERE relkind = 'r' AND NOT relispartition AND relnamespace = current_schema()::regnamespace
         AND relname ~ ('^' || "table_name" || '_\d{10}$') ORDER BY relname LIMIT 1);
  BEGIN
    IF found IS NOT NULL THEN
      EXECUTE format('DROP TABLE %I', found);
    END IF;
    RETURN found;
  END
  $$;

-- Stores a response in the partition of its expiry. Without one, it goes to the record, as in versions before 0.1.0: a write is never refused.
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
