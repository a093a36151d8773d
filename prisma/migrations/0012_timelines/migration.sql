-- Home timelines of people who read their feed (docs/decisions/0024-written-timelines.md). Everything here follows from other tables and can be
-- deleted at any time: a feed without a timeline is computed.
CREATE TABLE "timeline" (
  "reader_id"   bigint         NOT NULL,
  -- The ids of the latest posts and reposts that the feed lists, newest first. Rows stay on their page when one is added.
  "head"        bigint[]       NOT NULL,
  -- The ids after those of "head", in the same order.
  "body"        bigint[]       NOT NULL,
  -- The length of "body", which is known without reading it.
  "body_count"  integer        NOT NULL,
  -- Whether the feed has no older items than these.
  "whole"       boolean        NOT NULL,
  -- When the first mute ends by which items were left out.
  "valid_until" timestamptz(3),
  -- The last day on which the feed was read.
  "read_on"     date           NOT NULL DEFAULT CURRENT_DATE,

  CONSTRAINT "timeline_pkey" PRIMARY KEY ("reader_id"),
  CONSTRAINT "timeline_reader_id_fkey" FOREIGN KEY ("reader_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "timeline_body_count_check" CHECK ("body_count" >= 0)
);
-- A third of each page is for new versions of its rows. Autovacuum need not come as often as they change: reading a page removes them.
ALTER TABLE "timeline" SET (fillfactor = 65);
-- Not compressed: reading it must be cheap.
ALTER TABLE "timeline" ALTER COLUMN "head" SET STORAGE PLAIN;
ALTER TABLE "timeline" ALTER COLUMN "body" SET STORAGE EXTERNAL;

-- The sweep of timelines that are not read any more.
CREATE INDEX "timeline_read_on_idx" ON "timeline" ("read_on");

CREATE TYPE "timeline_change_kind" AS ENUM (
  -- A post or repost of an account was stored or deleted.
  'item',
  -- Whom an account follows, mutes or blocks changed: its timeline is deleted.
  'reader',
  -- The timelines of an account and of those that follow it are deleted.
  'followers',
  -- An account was protected, limited, hidden, or the opposite: it concerns its followers, and those of accounts that reposted it.
  'account'
);

CREATE TABLE "timeline_change" (
  "id"         bigserial              NOT NULL,
  "kind"       "timeline_change_kind" NOT NULL,
  -- Ids without foreign keys, as in "outbox".
  "account_id" bigint                 NOT NULL,
  -- Of 'item': the post or repost.
  "item_id"    bigint,
  -- What was done already, if there is much to do: follows from this id on; of 'account', posts up to this id.
  "progress"   bigint,

  CONSTRAINT "timeline_change_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "timeline_change_item_check" CHECK (("kind" = 'item') = ("item_id" IS NOT NULL))
);
-- Rows stay for less than a second. An empty table keeps its pages, so that it is always read by its index, and standbys need not wait.
ALTER TABLE "timeline_change" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 1, vacuum_truncate = off);

CREATE TABLE "timeline_progress" (
  -- No change up to this id is left, and none will be committed.
  "done_id" bigint NOT NULL,

  CONSTRAINT "timeline_progress_pkey" PRIMARY KEY ("done_id")
);

CREATE FUNCTION "write_timeline_item"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO timeline_change (kind, account_id, item_id) SELECT 'item', account_id, id FROM changed;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "repost_timeline_created" AFTER INSERT ON "repost" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_item"();
CREATE TRIGGER "repost_timeline_deleted" AFTER DELETE ON "repost" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_item"();

CREATE FUNCTION "write_timeline_follower"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO timeline_change (kind, account_id) SELECT DISTINCT 'reader'::timeline_change_kind, follower_id FROM changed;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "follow_timeline_created" AFTER INSERT ON "follow" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_follower"();
CREATE TRIGGER "follow_timeline_deleted" AFTER DELETE ON "follow" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_follower"();

CREATE FUNCTION "write_timeline_muter"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO timeline_change (kind, account_id) SELECT DISTINCT 'reader'::timeline_change_kind, muter_id FROM changed;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "mute_timeline_created" AFTER INSERT ON "mute" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_muter"();
CREATE TRIGGER "mute_timeline_changed" AFTER UPDATE ON "mute" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_muter"();
CREATE TRIGGER "mute_timeline_deleted" AFTER DELETE ON "mute" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_muter"();

CREATE FUNCTION "write_timeline_blocks"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO timeline_change (kind, account_id)
    SELECT 'reader', id FROM (SELECT blocker_id AS id FROM changed UNION SELECT blocked_id FROM changed) both_sides;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "block_timeline_created" AFTER INSERT ON "block" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_blocks"();
CREATE TRIGGER "block_timeline_deleted" AFTER DELETE ON "block" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_timeline_blocks"();

CREATE FUNCTION "write_timeline_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO timeline_change (kind, account_id) VALUES ('account', NEW.id);
    RETURN NULL;
  END
  $$;

-- What changes counters does not pay for it.
CREATE TRIGGER "account_timeline" AFTER UPDATE OF "protected", "limited_at", "hidden_at" ON "account"
  FOR EACH ROW WHEN (NEW."protected" <> OLD."protected" OR (NEW."limited_at" IS NULL) <> (OLD."limited_at" IS NULL) OR (NEW."hidden_at" IS NULL) <> (OLD."hidden_at" IS NULL))
  EXECUTE FUNCTION "write_timeline_account"();
