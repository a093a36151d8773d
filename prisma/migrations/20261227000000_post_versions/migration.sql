-- Authors can edit their posts. The texts that were replaced stay, as the history of the post.

-- The id of the current text, by next_id() when it was written: it tells processes that remember texts, and when the post was edited.
-- NULL: it is the first text.
ALTER TABLE "post" ADD COLUMN "version_id" bigint;

CREATE TABLE "post_version" (
  "post_id"     bigint   NOT NULL,
  -- Of the text: of the post for the first one, later the version_id that the post had.
  "id"          bigint   NOT NULL,
  "author_id"   bigint   NOT NULL,
  -- As in "post".
  "text"        text     NOT NULL,
  "hashtags"    jsonb    NOT NULL,
  "urls"        jsonb    NOT NULL,
  "mention_ids" bigint[],

  -- GET /post/history.
  CONSTRAINT "post_version_pkey" PRIMARY KEY ("post_id", "id"),
  CONSTRAINT "post_version_id_check" CHECK ("id" >= "post_id"),
  CONSTRAINT "post_version_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT
);
-- The export of an account.
CREATE INDEX "post_version_author_id_id_idx" ON "post_version" ("author_id", "id");

ALTER TYPE "event_kind" ADD VALUE 'post.edited' AFTER 'post.created';

-- A mention that an edit added has the id of the text, and its notification, too: it is new, however old the post is.
ALTER TABLE "mention" DROP CONSTRAINT "mention_id_check";
ALTER TABLE "mention" ADD CONSTRAINT "mention_id_check"
  CHECK (CASE WHEN "comment_id" IS NULL THEN "id" >= "post_id" ELSE "id" = "comment_id" END) NOT VALID;
ALTER TABLE "notification" DROP CONSTRAINT "notification_comment_check";
ALTER TABLE "notification" ADD CONSTRAINT "notification_comment_check" CHECK (CASE
  WHEN "kind" = 'mention' THEN CASE WHEN "comment_id" IS NULL THEN "id" >= "post_id" ELSE "id" = "comment_id" END
  WHEN "kind" = 'reply' THEN COALESCE("id" = "comment_id", false) ELSE "comment_id" IS NULL END) NOT VALID;

-- What follows from an edit, in its transaction. Mentions that stay keep their rows, so nobody is notified twice.
CREATE FUNCTION "write_post_edit"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  DECLARE
    removed bigint[] := ARRAY(SELECT unnest(OLD.mention_ids) EXCEPT SELECT unnest(NEW.mention_ids));
    added   bigint[] := ARRAY(SELECT unnest(NEW.mention_ids) EXCEPT SELECT unnest(OLD.mention_ids) EXCEPT SELECT NEW.author_id);
    ids     bigint[];
  BEGIN
    INSERT INTO post_version (post_id, id, author_id, text, hashtags, urls, mention_ids)
    VALUES (OLD.id, COALESCE(OLD.version_id, OLD.id), OLD.author_id, OLD.text, OLD.hashtags, OLD.urls, OLD.mention_ids);
    IF cardinality(removed) > 0 THEN
      ids := ARRAY(SELECT id FROM post_version WHERE post_id = OLD.id);
      DELETE FROM mention WHERE account_id = ANY (removed) AND id = ANY (ids);
      DELETE FROM notification WHERE account_id = ANY (removed) AND kind = 'mention' AND id = ANY (ids);
    END IF;
    IF cardinality(added) > 0 THEN
      INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
      SELECT unnest(added), NEW.version_id, NEW.author_id, NEW.id, NEW.author_id;
      INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id)
      SELECT unnest(added), 'mention', NEW.version_id, NEW.author_id, NEW.author_id, NEW.id;
    END IF;
    INSERT INTO outbox (kind, actor_id, post_id) VALUES ('post.edited', NEW.author_id, NEW.id);
    RETURN NULL;
  END
  $$;

-- What changes counters does not pay for it.
CREATE TRIGGER "post_edited" AFTER UPDATE OF "version_id" ON "post"
  FOR EACH ROW WHEN (NEW."version_id" IS DISTINCT FROM OLD."version_id") EXECUTE FUNCTION "write_post_edit"();

-- The notifications of mentions that edits added.
CREATE FUNCTION "delete_notifications_of_posts"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    DELETE FROM notification WHERE id = ANY (ARRAY(SELECT id FROM gone UNION ALL SELECT version_id FROM gone WHERE version_id IS NOT NULL));
    RETURN NULL;
  END
  $$;
DROP TRIGGER "post_notifications_gone" ON "post";
CREATE TRIGGER "post_notifications_gone" AFTER DELETE ON "post"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications_of_posts"();
CREATE TRIGGER "post_version_notifications_gone" AFTER DELETE ON "post_version"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();

-- A server that still fills mentions and hashtags of posts of earlier versions leaves out those that are edited: an edit writes all of
-- them, except for the mentions that stay. It waits for the lock of a batch, and a batch for an edit.
UPDATE "data_migration" SET "statement" = $$
  INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
  SELECT mentioned.id, p.id, p.author_id, p.id, p.author_id
  FROM (SELECT * FROM post WHERE id > $1 AND id <= $2 AND mention_ids IS NOT NULL FOR KEY SHARE) p
  CROSS JOIN unnest(p.mention_ids) mentioned(id) JOIN account a ON a.id = mentioned.id
  WHERE mentioned.id <> p.author_id
    AND (p.version_id IS NULL OR mentioned.id = ANY (SELECT unnest(v.mention_ids) FROM post_version v WHERE v.post_id = p.id AND v.id = p.id))
  ON CONFLICT DO NOTHING
$$ WHERE "name" = '20261219000000_mentions';
UPDATE "data_migration" SET "input" =
  $$ SELECT "id", "author_id", "hashtags" FROM "post" WHERE "id" > $1 AND "id" <= $2 AND "hashtags" <> '[]' AND "version_id" IS NULL FOR KEY SHARE $$
WHERE "name" = '20261221000000_fill_hashtags';
