-- What people post and do, for webhooks and streams. Triggers write the outbox in the transaction of the cause. A job moves its rows
-- to "event", in order (docs/adr/0017-ordered-events.md).

CREATE TYPE "event_kind" AS ENUM (
  'post.created', 'post.deleted', 'comment.created', 'comment.deleted', 'mention.created', 'like.created', 'like.deleted',
  'repost.created', 'repost.deleted', 'follow.created', 'follow.deleted', 'follow_request.created'
);

CREATE TABLE "outbox" (
  -- Ascends even within a millisecond, unlike next_id(): of two events about one object, the later has the higher id.
  "id"         bigserial      NOT NULL,
  "kind"       "event_kind"   NOT NULL,
  -- Ids without foreign keys: they would lock the rows of popular accounts and posts, and what is deleted has an event, too.
  -- Who did it: the author, or the follower.
  "actor_id"   bigint         NOT NULL,
  -- Whom it concerns: the author of the post, the mentioned or the followed account. Null for posts.
  "account_id" bigint,
  "post_id"    bigint,
  "comment_id" bigint,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
-- Rows stay for less than a second.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 1);

CREATE TABLE "event" (
  -- Assigned by one process at a time: no event with a lower position is committed later.
  "position"   bigserial      NOT NULL,
  "kind"       "event_kind"   NOT NULL,
  "actor_id"   bigint         NOT NULL,
  "account_id" bigint,
  "post_id"    bigint,
  "comment_id" bigint,
  "created_at" timestamptz(3) NOT NULL,

  CONSTRAINT "event_pkey" PRIMARY KEY ("position")
);
CREATE INDEX "event_created_at_idx" ON "event" ("created_at");
COMMENT ON INDEX "event_created_at_idx" IS 'The sweep of old events.';

-- Restored likes, and mentions of posts of earlier versions, are inserted long after they happened. They are no events.
CREATE FUNCTION "oldest_new_id"() RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT ((extract(epoch FROM now()) * 1000)::bigint - 1767225600000 - 300000) << 12 $$;

CREATE FUNCTION "write_post_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO outbox (kind, actor_id, post_id) SELECT 'post.created', author_id, id FROM changed WHERE id > oldest_new_id();
    ELSE
      INSERT INTO outbox (kind, actor_id, post_id) SELECT 'post.deleted', author_id, id FROM changed;
    END IF;
    RETURN NULL;
  END
  $$;

CREATE FUNCTION "write_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id)
    SELECT 'comment.created', c.author_id, p.author_id, p.id, c.id FROM changed c JOIN post p ON p.id = c.post_id WHERE c.id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE FUNCTION "write_mention_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id)
    SELECT 'mention.created', author_id, account_id, post_id, comment_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

-- Likes and reposts; TG_ARGV[0] is the first part of the kind.
CREATE FUNCTION "write_reaction_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id)
    SELECT (TG_ARGV[0] || '.created')::event_kind, account_id, author_id, post_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

-- What is deleted with its post, or because its account is deleted, is no event of its own.
CREATE FUNCTION "write_deleted_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id)
    SELECT 'comment.deleted', c.author_id, p.author_id, p.id, c.id
    FROM changed c JOIN post p ON p.id = c.post_id JOIN account a ON a.id = c.author_id WHERE a.deleted_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE FUNCTION "write_deleted_reaction_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id)
    SELECT (TG_ARGV[0] || '.deleted')::event_kind, c.account_id, p.author_id, p.id
    FROM changed c JOIN post p ON p.id = c.post_id JOIN account a ON a.id = c.account_id WHERE a.deleted_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE FUNCTION "write_follow_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id)
    SELECT (TG_ARGV[0] || '.created')::event_kind, follower_id, followed_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE FUNCTION "write_deleted_follow_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id)
    SELECT 'follow.deleted', c.follower_id, c.followed_id
    FROM changed c JOIN account f ON f.id = c.follower_id JOIN account t ON t.id = c.followed_id
    WHERE f.deleted_at IS NULL AND t.deleted_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_event_created" AFTER INSERT ON "post" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_post_event"();
CREATE TRIGGER "post_event_deleted" AFTER DELETE ON "post" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_post_event"();
CREATE TRIGGER "comment_event_created" AFTER INSERT ON "comment" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_comment_event"();
CREATE TRIGGER "comment_event_deleted" AFTER DELETE ON "comment" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_comment_event"();
CREATE TRIGGER "mention_event_created" AFTER INSERT ON "mention" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_mention_event"();
CREATE TRIGGER "post_like_event_created" AFTER INSERT ON "post_like" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_reaction_event"('like');
CREATE TRIGGER "post_like_event_deleted" AFTER DELETE ON "post_like" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_reaction_event"('like');
CREATE TRIGGER "repost_event_created" AFTER INSERT ON "repost" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_reaction_event"('repost');
CREATE TRIGGER "repost_event_deleted" AFTER DELETE ON "repost" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_reaction_event"('repost');
CREATE TRIGGER "follow_event_created" AFTER INSERT ON "follow" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_follow_event"('follow');
CREATE TRIGGER "follow_event_deleted" AFTER DELETE ON "follow" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_follow_event"();
CREATE TRIGGER "follow_request_event_created" AFTER INSERT ON "follow_request" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_follow_event"('follow_request');
