-- Ids carry a shard, below their time: milliseconds since 2026-01-01 (41 bits), shard (10 bits), quarter of the millisecond (2 bits).
-- The sequence is the clock, in quarters of milliseconds: each of its values is used once, so ids are unique and ascend even if the
-- clock of the machine is set back, and after a failover (docs/adr/0020-ids-with-shards.md).

CREATE SEQUENCE "id_clock" AS bigint MINVALUE 0 MAXVALUE 8796093022207 START 0;

-- No id that exists is above those that follow. These indexes hold the latest ids of posts, comments, and whatever notifies somebody.
SELECT setval('id_clock', GREATEST((SELECT max("id") FROM "post"), (SELECT max("id") FROM "comment"), (SELECT max("id") FROM "notification"),
  (SELECT max("id") FROM "account"), 0) >> 10);

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
CREATE OR REPLACE FUNCTION "next_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$ SELECT next_id(floor(random() * 1024)::bigint << 2) $$;
