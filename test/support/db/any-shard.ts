/** SQL that lets a test choose ids by their order alone: without the constraints on shards, which `shards.store.test.ts` tests. */
export const acceptAnyShard = `
  DO $$
  DECLARE
    "check" record;
  BEGIN
    FOR "check" IN SELECT conrelid::regclass AS "table", conname AS name FROM pg_constraint WHERE conname LIKE '%shard_check' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', "check"."table", "check".name);
    END LOOP;
  END
  $$`;
