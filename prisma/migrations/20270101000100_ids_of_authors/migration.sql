-- after: 0.1.0
-- Rows of an account get ids in its shard. Servers of earlier versions store them in any shard: they must have stopped.

-- A row that is stored without an id gets one in the shard of the column that the argument names.
CREATE FUNCTION "set_id_in_shard"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    NEW.id := next_id((to_jsonb(NEW) ->> TG_ARGV[0])::bigint);
    RETURN NEW;
  END
  $$;

DO $do$
DECLARE
  "owned" record;
  -- Ids below it are of any shard: those of earlier versions.
  "first" bigint;
BEGIN
  -- Nobody who got an id of any shard still has to store it.
  LOCK TABLE "post", "post_version", "comment", "post_like", "repost", "bookmark", "media", "follow", "follow_request", "block", "mute",
    "word_filter" IN ACCESS EXCLUSIVE MODE;
  "first" := ((next_id() >> 12) + 1) << 12;
  FOR "owned" IN SELECT * FROM (VALUES
    ('post', 'author_id'), ('post_like', 'author_id'), ('repost', 'account_id'), ('bookmark', 'account_id'), ('media', 'owner_id'),
    ('follow', 'follower_id'), ('follow_request', 'follower_id'), ('block', 'blocker_id'), ('mute', 'muter_id'),
    ('word_filter', 'account_id'), ('comment', 'post_id')
  ) "names" ("table_name", "column_name") LOOP
    -- A default cannot see the other columns. It also fires where the triggers of the application do not, as a default would.
    EXECUTE format('ALTER TABLE %I ALTER COLUMN "id" DROP DEFAULT', "owned"."table_name");
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION set_id_in_shard(%L)',
      "owned"."table_name" || '_id_in_shard', "owned"."table_name", "owned"."column_name");
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', "owned"."table_name", "owned"."table_name" || '_id_in_shard');
    -- The ids of the texts of a post have its shard. Comments of a post whose id is older have the shard of its author, which their row does
    -- not hold. One constraint for each table, because each INSERT pays for every one.
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (((%s) & 4092) = 0 OR "id" < %s%s) NOT VALID',
      "owned"."table_name", "owned"."table_name" || '_shard_check',
      CASE "owned"."table_name" WHEN 'post' THEN '("id" # "author_id") | (COALESCE("version_id", "id") # "id")'
        ELSE format('"id" # %I', "owned"."column_name") END,
      "first", CASE "owned"."table_name" WHEN 'comment' THEN format(' OR "post_id" < %s', "first") ELSE '' END);
  END LOOP;
  EXECUTE format('ALTER TABLE "post_version" ADD CONSTRAINT "post_version_shard_check"
    CHECK ((("id" # "author_id") & 4092) = 0 OR "id" < %s) NOT VALID', "first");
END
$do$;

-- The low bits of ids until "id_clock".
DROP SEQUENCE "id_low_bits";
