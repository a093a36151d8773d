-- Events about replies and mentions that are gone reach those who got them.

-- Of comments: the author of the comment that it replies to.
ALTER TABLE "outbox" ADD COLUMN "replied_to_id" bigint;
ALTER TABLE "event" ADD COLUMN "replied_to_id" bigint;
-- Of what is deleted, and of edits: who is no longer mentioned.
ALTER TABLE "outbox" ADD COLUMN "unmentioned_ids" bigint[];
ALTER TABLE "event" ADD COLUMN "unmentioned_ids" bigint[];

CREATE OR REPLACE FUNCTION "write_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id, replied_to_id)
    SELECT 'comment.created', c.author_id, p.author_id, p.id, c.id, (SELECT author_id FROM comment WHERE id = c.parent_id)
    FROM changed c JOIN post p ON p.id = c.post_id WHERE c.id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE OR REPLACE FUNCTION "write_deleted_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id, replied_to_id, unmentioned_ids)
    SELECT 'comment.deleted', c.author_id, p.author_id, p.id, c.id, (SELECT author_id FROM comment WHERE id = c.parent_id), c.mention_ids
    FROM changed c JOIN post p ON p.id = c.post_id JOIN account a ON a.id = c.author_id WHERE a.deleted_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE OR REPLACE FUNCTION "write_post_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO outbox (kind, actor_id, post_id) SELECT 'post.created', author_id, id FROM changed WHERE id > oldest_new_id();
    ELSE
      INSERT INTO outbox (kind, actor_id, post_id, unmentioned_ids) SELECT 'post.deleted', author_id, id, mention_ids FROM changed;
    END IF;
    RETURN NULL;
  END
  $$;

CREATE OR REPLACE FUNCTION "write_post_edit"() RETURNS trigger
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
    INSERT INTO outbox (kind, actor_id, post_id, unmentioned_ids) VALUES ('post.edited', NEW.author_id, NEW.id, NULLIF(removed, '{}'));
    RETURN NULL;
  END
  $$;
