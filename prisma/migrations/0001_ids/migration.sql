-- Ids carry a shard, below their time: milliseconds since 2026-01-01 (41 bits), shard (10 bits), quarter of the millisecond (2 bits).
-- The sequence is the clock, in quarters of milliseconds: each of its values is used once, so ids are unique and ascend even if the
-- clock of the machine is set back, and after a failover (docs/decisions/0020-ids-with-shards.md).
CREATE SEQUENCE "id_clock" AS bigint MINVALUE 0 MAXVALUE 8796093022207 START 0;

-- The next id in the shard of another id, such as that of the author. `now` is for tests. The clock is read after the sequence:
-- `advance_id_clock` relies on it.
CREATE FUNCTION "next_id"("of" bigint, "now" timestamptz DEFAULT NULL) RETURNS bigint
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
  AS $$
  DECLARE
    "tick" bigint := nextval('id_clock');
    "wall" bigint := floor(date_part('epoch', COALESCE("now", clock_timestamp())) * 4000) - 7068902400000;
  BEGIN
    IF "tick" < "wall" THEN
      "tick" := advance_id_clock("tick", "wall");
    END IF;
    -- An id has a millisecond of its own, so that ids of different shards ascend, too. In a burst of more than 1,000, four share one.
    WHILE "tick" & 3 <> 0 AND "tick" < "wall" + 4000 LOOP
      "tick" := nextval('id_clock');
    END LOOP;
    RETURN (("tick" >> 2) << 12) | ("of" & 4092) | ("tick" & 3);
  END
  $$;

-- The next id in a random shard.
CREATE FUNCTION "next_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$ SELECT next_id(0) $$;

-- Counters of attempts: worth nothing after a crash, so not logged.
CREATE UNLOGGED TABLE "rate_limit" (
  "key"    varchar(512)   NOT NULL,
  "points" integer        NOT NULL DEFAULT 0,
  "expire" timestamptz(3),

  CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- Who works on a connection: `service`, `operator`, or NULL if it does not say. Poolers in transaction mode lose
-- `linnet.actor`, but pass `application_name` on with each transaction.
CREATE FUNCTION "linnet_actor"() RETURNS text
  LANGUAGE sql STABLE
  AS $$
    SELECT COALESCE(NULLIF(current_setting('linnet.actor', true), ''),
                    substring(current_setting('application_name') FROM '^linnet (service|operator)$'))
  $$;

-- Changes of all rows of a table, in batches (prisma/README.md). A migration inserts the row, `linnet migrate run --phase after` does
-- the work: `statement` changes the rows of `table_name` whose key is above $1 and at most $2.
CREATE TABLE "data_migration" (
  "name"        varchar(255)   NOT NULL,
  "statement"   text           NOT NULL,
  "table_name"  varchar(63)    NOT NULL,
  -- A bigint that is unique and has an index.
  "key_column"  varchar(63)    NOT NULL DEFAULT 'id',
  -- The most keys of a batch. It gets smaller by itself if batches take long.
  "batch_size"  integer        NOT NULL DEFAULT 1000,
  -- The batches up to this key are committed.
  "last_key"    bigint,
  "rows"        bigint         NOT NULL DEFAULT 0,
  "created_at"  timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "finished_at" timestamptz(3),

  CONSTRAINT "data_migration_pkey" PRIMARY KEY ("name"),
  CONSTRAINT "data_migration_batch_size_check" CHECK ("batch_size" > 0)
);

-- The network: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
CREATE FUNCTION "shorten_address"("of_client" inet) RETURNS inet
  LANGUAGE sql IMMUTABLE STRICT
  AS $$ SELECT network(set_masklen(of_client, CASE family(of_client) WHEN 4 THEN 24 ELSE 48 END))::inet $$;

-- NULL if it is not an address.
CREATE FUNCTION "parse_address"("given" text) RETURNS inet
  LANGUAGE plpgsql IMMUTABLE STRICT
  AS $$
    BEGIN
      RETURN host(given::inet)::inet;
    EXCEPTION WHEN invalid_text_representation THEN
      RETURN NULL;
    END
  $$;

-- Rows with a lower id, such as restored likes, are inserted long after they happened. They are no events.
CREATE FUNCTION "oldest_new_id"() RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT ((extract(epoch FROM now()) * 1000)::bigint - 1767225600000 - 300000) << 12 $$;

-- For a sequence that lags behind the clock of the machine: returns a value that does not. Values that follow closely are taken one by one,
-- which is always safe. Beyond, one process at a time sets the sequence. A process that takes a value meanwhile finds that it lags, and waits
-- for the lock. So at most a few for each connection are taken before the sequence is set, and it never goes back.
CREATE FUNCTION "advance_id_clock"("tick" bigint, "wall" bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
  AS $$
  DECLARE
    "near" CONSTANT bigint := 40;
  BEGIN
    IF "wall" - "tick" > "near" THEN
      -- The end of the block releases the lock, also when the statement is cancelled. What was done to a sequence is not rolled back.
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('id_clock'));
        "tick" := nextval('id_clock');
        IF "wall" - "tick" > "near" + 8 * current_setting('max_connections')::bigint THEN
          "tick" := setval('id_clock', "wall");
        END IF;
        WHILE "tick" < "wall" LOOP
          "tick" := nextval('id_clock');
        END LOOP;
        RAISE SQLSTATE 'LID00';
      EXCEPTION WHEN SQLSTATE 'LID00' THEN
      END;
    END IF;
    WHILE "tick" < "wall" LOOP
      "tick" := nextval('id_clock');
    END LOOP;
    RETURN "tick";
  END
  $$;

-- A row that is stored without an id gets one in the shard of the column that the argument names.
CREATE FUNCTION "set_id_in_shard"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    NEW.id := next_id((to_jsonb(NEW) ->> TG_ARGV[0])::bigint);
    RETURN NEW;
  END
  $$;

-- Rows of no account, such as events of the audit log, are ordered by their ids. In a burst, ids of one millisecond ascend only within a
-- shard, so these rows have one shard. Accounts have a random one.
CREATE FUNCTION "next_account_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$ SELECT next_id(floor(random() * 1024)::bigint << 2) $$;

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
