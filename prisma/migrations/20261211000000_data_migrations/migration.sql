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
