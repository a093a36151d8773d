-- Followers of the author, and accounts that the post mentions; or only those.
CREATE TYPE "post_commenters" AS ENUM ('everyone', 'followers', 'mentioned');

CREATE TABLE "post" (
  "id"              bigint            NOT NULL,
  "author_id"       bigint            NOT NULL,
  "text"            text              NOT NULL,
  "hashtags"        jsonb             NOT NULL DEFAULT '[]',
  "urls"            jsonb             NOT NULL DEFAULT '[]',
  "mention_ids"     bigint[],
  -- Where the text mentions them, in code points: [{"id": …, "indices": [[start, end], …]}, …].
  "mention_spans"   jsonb,
  "likes_count"     integer           NOT NULL DEFAULT 0,
  "comments_count"  integer           NOT NULL DEFAULT 0,
  "reposts_count"   integer           NOT NULL DEFAULT 0,
  "created_at"      timestamptz(3)    NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Whether to look for a post's media: posts without any cost nothing. True may outlive the media.
  "has_media"       boolean           NOT NULL DEFAULT false,
  -- Shown to nobody: it says how many rows are deleted with a post, and whether to look for a bookmark.
  "bookmarks_count" integer           NOT NULL DEFAULT 0,
  "commenters"      "post_commenters" NOT NULL DEFAULT 'everyone',
  "sensitive"       boolean           NOT NULL DEFAULT false,
  -- The id of the current text, by next_id() when it was written: it tells processes that remember texts, and when the post was edited.
  -- NULL: it is the first text.
  "version_id"      bigint,
  -- Of its first link in "link_card", by a trigger. NULL: it has no link. Without a foreign key, so that cards can go at any time.
  "card_id"         uuid,
  -- The post that it quotes, whether or not that still exists: without a foreign key, so that a popular post is deleted at once.
  -- Below zero: the author of that post has withdrawn it from this one, so that nothing finds it.
  "quote_id"        bigint,
  -- Written elsewhere.
  "imported"        boolean           NOT NULL DEFAULT false,

  CONSTRAINT "post_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "post_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "post_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "post_text_check" CHECK (char_length("text") BETWEEN 1 AND 400),
  CONSTRAINT "post_mention_ids_check" CHECK (COALESCE(cardinality("mention_ids"), 0) <= 20),
  CONSTRAINT "post_counts_check" CHECK ("likes_count" >= 0 AND "comments_count" >= 0 AND "reposts_count" >= 0),
  -- The ids of the texts of a post have its shard.
  CONSTRAINT "post_shard_check" CHECK (((("id" # "author_id") | (COALESCE("version_id", "id") # "id")) & 4092) = 0)
);
-- Likes, comments and reposts change the counters of a post. With space left in its page, the new version of the row
-- stays there and needs no new index entries (a HOT update).
ALTER TABLE "post" SET (fillfactor = 85);

-- GET /post: the latest posts of one account.
CREATE INDEX "post_author_id_id_idx" ON "post" ("author_id", "id" DESC);
-- For the foreign keys of tables that repeat the author of a post, so that their lists skip rows by the index alone.
CREATE UNIQUE INDEX "post_id_author_id_key" ON "post" ("id", "author_id");

CREATE TRIGGER "post_id_in_shard" BEFORE INSERT ON "post" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('author_id');
ALTER TABLE "post" ENABLE ALWAYS TRIGGER "post_id_in_shard";

CREATE TABLE "comment" (
  "id"          bigint         NOT NULL,
  "post_id"     bigint         NOT NULL,
  "author_id"   bigint         NOT NULL,
  "text"        text           NOT NULL,
  "created_at"  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The comment that it replies to. No foreign key: a reply stays when the comment above it is deleted.
  "parent_id"   bigint,
  -- Null: none.
  "hashtags"    jsonb,
  "urls"        jsonb,
  -- Mentioned accounts, in order of appearance.
  "mention_ids" bigint[],
  -- As in "post".
  "mention_spans" jsonb,
  "card_id"     uuid,
  "imported"    boolean        NOT NULL DEFAULT false,

  CONSTRAINT "comment_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "comment_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "comment_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "comment_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "comment_text_check" CHECK (char_length("text") BETWEEN 1 AND 1000),
  CONSTRAINT "comment_shard_check" CHECK ((("id" # "post_id") & 4092) = 0)
);

-- The comments of an account that is deleted.
CREATE INDEX "comment_author_id_idx" ON "comment" ("author_id");
-- GET /comment: the latest comments of one post.
CREATE INDEX "comment_post_id_id_author_id_idx" ON "comment" ("post_id", "id" DESC, "author_id");

CREATE TRIGGER "comment_id_in_shard" BEFORE INSERT ON "comment" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('post_id');
ALTER TABLE "comment" ENABLE ALWAYS TRIGGER "comment_id_in_shard";

-- An uploaded image. The name is random and says the type; it is the address that readers get, and
-- the files of the renditions are kept under it.
CREATE TABLE "media" (
  "id"         bigint         NOT NULL,
  "owner_id"   bigint         NOT NULL,
  -- The post it is shown with; null until it is attached.
  "post_id"    bigint,
  "name"       varchar(36)    NOT NULL,
  -- The full-size file: bytes as stored, pixels.
  "bytes"      integer        NOT NULL,
  "width"      integer        NOT NULL,
  "height"     integer        NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Where the picture stands in its post, from 0. There are gaps after one of them was deleted.
  "position"   smallint       NOT NULL DEFAULT 0,
  -- What the picture shows, in words, for people who do not see it; empty if its owner has not said.
  "alt"        text           NOT NULL DEFAULT '',
  -- A blurred preview of about 30 characters; empty if it cannot be computed.
  "blurhash"   varchar(64)    NOT NULL DEFAULT '',

  CONSTRAINT "media_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "media_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "media_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "media_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "media_name_check" CHECK ("name" ~ '^[0-9a-f]{32}\.(png|jpg)$'),
  CONSTRAINT "media_size_check" CHECK ("bytes" > 0 AND "width" > 0 AND "height" > 0),
  CONSTRAINT "media_position_check" CHECK ("position" BETWEEN 0 AND 3),
  CONSTRAINT "media_alt_check" CHECK (char_length("alt") <= 1500),
  CONSTRAINT "media_blurhash_check" CHECK ("blurhash" ~ '^([0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~-]{6,})?$'),
  CONSTRAINT "media_shard_check" CHECK ((("id" # "owner_id") & 4092) = 0)
);

-- Serving: every request for a file looks its name up.
CREATE UNIQUE INDEX "media_name_key" ON "media" ("name");
-- The sweep of what was uploaded and never attached.
CREATE INDEX "media_unattached_idx" ON "media" ("created_at") WHERE "post_id" IS NULL;
-- GET /media: the latest media of one account.
CREATE INDEX "media_owner_id_id_post_id_idx" ON "media" ("owner_id", "id" DESC, "post_id");
-- Showing a post: its pictures in their order. A post has one picture at each position.
CREATE UNIQUE INDEX "media_post_id_position_key" ON "media" ("post_id", "position");

CREATE TRIGGER "media_id_in_shard" BEFORE INSERT ON "media" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('owner_id');
ALTER TABLE "media" ENABLE ALWAYS TRIGGER "media_id_in_shard";

ALTER TABLE "account" ADD CONSTRAINT "account_avatar_fkey" FOREIGN KEY ("avatar") REFERENCES "media" ("name") ON DELETE SET NULL ON UPDATE RESTRICT;

-- Files whose record is gone, to be removed: written by the deletion itself, whatever caused it, so
-- that files go if and when it is committed.
CREATE TABLE "removed_media_file" (
  "name" varchar(36) NOT NULL,

  CONSTRAINT "removed_media_file_pkey" PRIMARY KEY ("name")
);

CREATE FUNCTION "note_removed_media"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO removed_media_file (name) SELECT name FROM gone ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "media_removed" AFTER DELETE ON "media"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "note_removed_media"();

-- What the pages that posts link to say about themselves, once for each link. A job fetches it.
CREATE TABLE "link_card" (
  -- Of the link, md5, so that it is known without a look at this table.
  "id"          uuid           NOT NULL,
  "url"         text           NOT NULL,
  -- When to fetch the page. NULL: there is nothing to do.
  "due_at"      timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  -- How often that was tried in vain.
  "attempts"    smallint       NOT NULL DEFAULT 0,
  -- A post with the link after this time lets the page be fetched again, and a card without posts is deleted.
  "fresh_until" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- NULL: nothing is known, so there is no card to show.
  "title"       text,
  "description" text           NOT NULL DEFAULT '',
  "site_name"   text           NOT NULL DEFAULT '',
  -- Our copy of the page's picture, kept as "media" is. NULL: none.
  "image"       varchar(36),
  "width"       integer        NOT NULL DEFAULT 0,
  "height"      integer        NOT NULL DEFAULT 0,
  "alt"         text           NOT NULL DEFAULT '',
  "blurhash"    varchar(64)    NOT NULL DEFAULT '',

  CONSTRAINT "link_card_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "link_card_url_check" CHECK ("id" = md5("url")::uuid),
  CONSTRAINT "link_card_title_check" CHECK (char_length("title") BETWEEN 1 AND 300),
  CONSTRAINT "link_card_words_check" CHECK (char_length("description") <= 600 AND char_length("site_name") <= 100 AND char_length("alt") <= 600),
  CONSTRAINT "link_card_image_check" CHECK ("image" IS NULL OR ("image" ~ '^[0-9a-f]{32}\.(png|jpg)$' AND "width" > 0 AND "height" > 0))
);

-- The pages to fetch.
CREATE INDEX "link_card_due_at_idx" ON "link_card" ("due_at") WHERE "due_at" IS NOT NULL;
-- The sweep of cards without posts.
CREATE INDEX "link_card_fresh_until_idx" ON "link_card" ("fresh_until");
-- Serving: every request for a file looks its name up.
CREATE INDEX "link_card_image_idx" ON "link_card" ("image");
-- The sweep: whether posts or comments have a link.
CREATE INDEX "post_card_id_idx" ON "post" ("card_id") WHERE "card_id" IS NOT NULL;
CREATE INDEX "comment_card_id_idx" ON "comment" ("card_id") WHERE "card_id" IS NOT NULL;

CREATE FUNCTION "note_removed_card_image"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' OR NEW.image IS DISTINCT FROM OLD.image THEN
        INSERT INTO removed_media_file (name) VALUES (OLD.image) ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "link_card_image_removed" AFTER DELETE OR UPDATE OF "image" ON "link_card"
  FOR EACH ROW WHEN (OLD."image" IS NOT NULL) EXECUTE FUNCTION "note_removed_card_image"();

-- A link that is new, or whose card is old, is fetched soon. A card that is fresh is not locked.
CREATE FUNCTION "refer_to_card"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  DECLARE
    link text := NEW.urls -> 0 ->> 'url';
  BEGIN
    NEW.card_id := md5(link)::uuid;
    IF link IS NULL THEN
      RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM link_card WHERE id = NEW.card_id AND (due_at IS NOT NULL OR fresh_until >= now())) THEN
      RETURN NEW;
    END IF;
    INSERT INTO link_card AS card (id, url) VALUES (NEW.card_id, link)
    ON CONFLICT (id) DO UPDATE SET due_at = now(), attempts = 0 WHERE card.due_at IS NULL AND card.fresh_until < now();
    RETURN NEW;
  END
  $$;

-- Texts without a link do not pay for it.
CREATE TRIGGER "post_card" BEFORE INSERT ON "post"
  FOR EACH ROW WHEN (NEW."urls" <> '[]') EXECUTE FUNCTION "refer_to_card"();
CREATE TRIGGER "post_card_edited" BEFORE UPDATE OF "urls" ON "post"
  FOR EACH ROW WHEN (NEW."urls" <> OLD."urls") EXECUTE FUNCTION "refer_to_card"();
CREATE TRIGGER "comment_card" BEFORE INSERT ON "comment"
  FOR EACH ROW WHEN (NEW."urls" IS NOT NULL) EXECUTE FUNCTION "refer_to_card"();

-- Who is mentioned where, for lists that are newest first. Written with the post or comment, and deleted with it.
CREATE TABLE "mention" (
  -- The mentioned account. Without a foreign key, as in mention_ids: it would lock the row of a popular account.
  "account_id"     bigint NOT NULL,
  -- Of the post or comment that mentions it. Ids of both come from one ascending sequence.
  "id"             bigint NOT NULL,
  "author_id"      bigint NOT NULL,
  -- The post, or the one that the comment is about.
  "post_id"        bigint NOT NULL,
  "post_author_id" bigint NOT NULL,
  -- Null: the post mentions the account.
  "comment_id"     bigint,

  CONSTRAINT "mention_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "mention_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mention_comment_id_fkey" FOREIGN KEY ("comment_id") REFERENCES "comment"("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mention_id_check"
    CHECK (CASE WHEN "comment_id" IS NULL THEN "id" >= "post_id" ELSE "id" = "comment_id" END)
);

-- GET /mentions: the latest mentions of one account, filtered by the index alone.
CREATE INDEX "mention_account_id_id_post_author_id_author_id_idx"
  ON "mention" ("account_id", "id" DESC, "post_author_id", "author_id", "post_id", "comment_id");
-- The mentions of a post and its comments, when it is deleted.
CREATE INDEX "mention_post_id_idx" ON "mention" ("post_id");
-- The mentions of a comment, when it is deleted.
CREATE INDEX "mention_comment_id_idx" ON "mention" ("comment_id");

CREATE FUNCTION "write_mentions_of_post"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
    SELECT mentioned, NEW.id, NEW.author_id, NEW.id, NEW.author_id
    FROM unnest(NEW.mention_ids) mentioned WHERE mentioned <> NEW.author_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

-- Posts that mention nobody do not pay for it.
CREATE TRIGGER "post_mentions" AFTER INSERT ON "post"
  FOR EACH ROW WHEN (NEW."mention_ids" IS NOT NULL) EXECUTE FUNCTION "write_mentions_of_post"();

CREATE FUNCTION "write_mentions_of_comment"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO mention (account_id, id, author_id, post_id, post_author_id, comment_id)
    SELECT mentioned, NEW.id, NEW.author_id, p.id, p.author_id, NEW.id
    FROM post p CROSS JOIN unnest(NEW.mention_ids) mentioned WHERE p.id = NEW.post_id AND mentioned <> NEW.author_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_mentions" AFTER INSERT ON "comment"
  FOR EACH ROW WHEN (NEW."mention_ids" IS NOT NULL) EXECUTE FUNCTION "write_mentions_of_comment"();

-- The hashtags of posts, one row each, and those that many people use at present. Posts keep their hashtags as they were written.
CREATE TABLE "post_hashtag" (
  -- Folded by `foldCase` of packages/db. "C": prefixes are ranges of the index. Longer hashtags are links to nothing.
  "hashtag"   varchar(100) COLLATE "C" NOT NULL,
  "post_id"   bigint                   NOT NULL,
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id" bigint                   NOT NULL,

  -- Also the latest hashtags of all posts, for trends, and those of a post, when it is deleted.
  CONSTRAINT "post_hashtag_pkey" PRIMARY KEY ("post_id", "hashtag"),
  CONSTRAINT "post_hashtag_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "post_hashtag_hashtag_check" CHECK ("hashtag" <> '')
);
-- Most hashtags have few posts, a few have very many. A plan for any of them expects few, and then reads and sorts all posts of a popular
-- one as long as no page of the table counts as visible to all, such as after a restore. As if there were five hashtags, PostgreSQL
-- expects many, and always reads the latest in the order of the index.
ALTER TABLE "post_hashtag" ALTER COLUMN "hashtag" SET (n_distinct = 5);

-- GET /hashtags/posts: the latest posts of a hashtag. GET /hashtags/search: the hashtags with a prefix.
CREATE INDEX "post_hashtag_hashtag_post_id_author_id_idx" ON "post_hashtag" ("hashtag", "post_id" DESC, "author_id");

CREATE TABLE "hashtag_trend" (
  "hashtag"  varchar(100) COLLATE "C" NOT NULL,
  -- The accounts that used it lately, and their posts with it.
  "accounts" integer                  NOT NULL,
  "posts"    integer                  NOT NULL,
  -- One point for each account, halved every few hours since it last used the hashtag.
  "score"    double precision         NOT NULL,

  CONSTRAINT "hashtag_trend_pkey" PRIMARY KEY ("hashtag"),
  CONSTRAINT "hashtag_trend_accounts_check" CHECK ("accounts" > 1 AND "posts" >= "accounts")
);

-- The words of posts, by which GET /search/posts finds them.
CREATE TABLE "post_search" (
  "post_id"   bigint   NOT NULL,
  -- The author of the post, so that searches skip rows without reading the post.
  "author_id" bigint   NOT NULL,
  -- With their positions, as packages/db/src/text/search-words.ts writes them: no dictionary of PostgreSQL takes part.
  "words"     tsvector NOT NULL,

  -- Also the latest posts, of which those with a frequent word are found without "words".
  CONSTRAINT "post_search_pkey" PRIMARY KEY ("post_id"),
  CONSTRAINT "post_search_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT
);

-- GET /search/posts: all posts with a rare word. New posts are first collected: at most 256 kB, because each search reads the collection,
-- and the post that fills it waits until it is sorted in.
CREATE INDEX "post_search_words_idx" ON "post_search" USING gin ("words") WITH (gin_pending_list_limit = 256);
-- GET /search/posts with from: the latest posts of an account.
CREATE INDEX "post_search_author_id_post_id_idx" ON "post_search" ("author_id", "post_id" DESC);

-- A post is found by has:media until its last picture is deleted. The lock lets deletions of its pictures follow each other,
-- so that the last one sees no other.
CREATE FUNCTION "post_search_forget_media"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "post_search" WHERE "post_id" = OLD."post_id" FOR NO KEY UPDATE;
  UPDATE "post_search" SET "words" = ts_delete("words", 'has:media')
  WHERE "post_id" = OLD."post_id" AND NOT EXISTS (SELECT FROM "media" WHERE "post_id" = OLD."post_id");
  RETURN NULL;
END $$;

CREATE TRIGGER "post_search_forget_media" AFTER DELETE ON "media" FOR EACH ROW WHEN (OLD."post_id" IS NOT NULL)
  EXECUTE FUNCTION "post_search_forget_media"();

-- May the account comment on a post with these columns? Not asked if everyone may. VOLATILE: it also sees an unfollow that was
-- committed while the calling statement waited for a lock, which the snapshot of that statement does not show.
CREATE FUNCTION "is_commenter"("commenters" "post_commenters", "author" bigint, "mentioned" bigint[], "account" bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      RETURN account = author OR account = ANY (COALESCE(mentioned, '{}'))
        OR (commenters = 'followers' AND EXISTS (SELECT 1 FROM follow WHERE follower_id = account AND followed_id = author));
    END
  $$;

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
  "mention_spans" jsonb,

  -- GET /post/history.
  CONSTRAINT "post_version_pkey" PRIMARY KEY ("post_id", "id"),
  CONSTRAINT "post_version_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "post_version_id_check" CHECK ("id" >= "post_id"),
  CONSTRAINT "post_version_shard_check" CHECK ((("id" # "author_id") & 4092) = 0)
);

-- The export of an account.
CREATE INDEX "post_version_author_id_id_idx" ON "post_version" ("author_id", "id");

-- What follows from an edit, in its transaction. Mentions that stay keep their rows, so nobody is notified twice.
CREATE FUNCTION "write_post_edit"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  DECLARE
    removed bigint[] := ARRAY(SELECT unnest(OLD.mention_ids) EXCEPT SELECT unnest(NEW.mention_ids));
    added   bigint[] := ARRAY(SELECT unnest(NEW.mention_ids) EXCEPT SELECT unnest(OLD.mention_ids) EXCEPT SELECT NEW.author_id);
    ids     bigint[];
  BEGIN
    INSERT INTO post_version (post_id, id, author_id, text, hashtags, urls, mention_ids, mention_spans)
    VALUES (OLD.id, COALESCE(OLD.version_id, OLD.id), OLD.author_id, OLD.text, OLD.hashtags, OLD.urls, OLD.mention_ids, OLD.mention_spans);
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

-- What changes counters does not pay for it.
CREATE TRIGGER "post_edited" AFTER UPDATE OF "version_id" ON "post"
  FOR EACH ROW WHEN (NEW."version_id" IS DISTINCT FROM OLD."version_id") EXECUTE FUNCTION "write_post_edit"();

-- A free id in the shard of another one, of the time at which something was written elsewhere. Lists are in the order of ids, so it is
-- at its date. The first hour of 2026 is for the years before it, in order. The last ten minutes get none, so that
-- nothing imported is an event (`oldest_new_id`). The steps to the next free id get longer, up to some seconds, so that no file makes
-- this slow. They lead back in time, and forth from the beginning of time.
CREATE FUNCTION "past_id"("of" bigint, "at" timestamptz) RETURNS bigint
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
  AS $$
  DECLARE
    "hour" CONSTANT bigint := 3600000;
    -- From 2000 to 2026.
    "before" CONSTANT bigint := 820540800000;
    "ms" bigint := (extract(epoch FROM LEAST("at", now() - interval '10 minutes')) * 1000)::bigint - 1767225600000;
    "step" bigint;
    "free" bigint;
  BEGIN
    IF "ms" < "hour" THEN
      "ms" := 1 + GREATEST("ms" + "before", 0) * ("hour" - 1) / ("hour" + "before");
    END IF;
    "step" := CASE WHEN "ms" > "hour" THEN -1 ELSE 1 END;
    PERFORM pg_advisory_xact_lock(hashtext('past_id'), ("of" & 4092)::integer);
    "free" := ("ms" << 12) | ("of" & 4092);
    WHILE EXISTS (SELECT FROM post p WHERE p.id = "free") OR EXISTS (SELECT FROM comment c WHERE c.id = "free")
      OR EXISTS (SELECT FROM media m WHERE m.id = "free") LOOP
      IF "free" & 3 < 3 THEN
        "free" := "free" + 1;
      ELSE
        "free" := "free" - 3 + ("step" << 12);
        "step" := CASE WHEN abs("step") < 4096 THEN 2 * "step" ELSE "step" END;
        IF "step" < 0 AND "free" < ("hour" << 12) THEN
          "free" := ("hour" << 12) | ("of" & 4092);
          "step" := 1;
        END IF;
      END IF;
    END LOOP;
    RETURN "free";
  END
  $$;

CREATE TYPE "import_source" AS ENUM ('linnet', 'mastodon', 'bluesky');
CREATE TYPE "import_state" AS ENUM ('running', 'undoing', 'finished', 'failed', 'undone');

-- Files with posts from elsewhere. A file that a person sent lies beside the service until its import has ended.
CREATE TABLE "account_import" (
  "id"          bigint          NOT NULL,
  "account_id"  bigint          NOT NULL,
  "source"      "import_source" NOT NULL,
  "state"       "import_state"  NOT NULL DEFAULT 'running',
  "file_sha256" bytea           NOT NULL,
  "posts"       integer         NOT NULL DEFAULT 0,
  "comments"    integer         NOT NULL DEFAULT 0,
  "pictures"    integer         NOT NULL DEFAULT 0,
  -- How much was left out, by reason.
  "left_out"    jsonb           NOT NULL DEFAULT '{}',
  -- How many posts and comments of the file are stored or left out.
  "position"    integer         NOT NULL DEFAULT 0,
  -- From when on another process may continue it. Null: it has ended.
  "due_at"      timestamptz(3)  DEFAULT clock_timestamp(),
  -- How often it was continued since it stored something.
  "attempts"    integer         NOT NULL DEFAULT 0,
  -- Why it failed.
  "problem"     varchar(32),
  -- When the file came last.
  "created_at"  timestamptz(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" timestamptz(3),

  CONSTRAINT "account_import_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "account_import_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "account_import_file_check" CHECK (octet_length("file_sha256") = 32),
  CONSTRAINT "account_import_finished_at_check" CHECK (("finished_at" IS NULL) = ("state" IN ('running', 'undoing'))),
  CONSTRAINT "account_import_due_at_check" CHECK (("due_at" IS NULL) = ("finished_at" IS NOT NULL)),
  CONSTRAINT "account_import_problem_check" CHECK (("problem" IS NOT NULL) = ("state" = 'failed')),
  CONSTRAINT "account_import_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

-- The same file again; and the imports of an account.
CREATE UNIQUE INDEX "account_import_account_id_file_sha256_key" ON "account_import" ("account_id", "file_sha256");
-- An account has one at a time.
CREATE UNIQUE INDEX "account_import_open_key" ON "account_import" ("account_id") WHERE "due_at" IS NOT NULL;
-- What a process may continue.
CREATE INDEX "account_import_due_at_idx" ON "account_import" ("due_at") WHERE "due_at" IS NOT NULL;

CREATE TRIGGER "account_import_id_in_shard" BEFORE INSERT ON "account_import"
  FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "account_import" ENABLE ALWAYS TRIGGER "account_import_id_in_shard";

-- What an import stored, so that the same file adds nothing twice, and what it added can be removed.
CREATE TABLE "imported_item" (
  "import_id"  bigint       NOT NULL,
  -- Of the post or comment in the file.
  "key"        varchar(255) NOT NULL,
  -- Without foreign keys: what the person deletes does not come back with the same file.
  "post_id"    bigint,
  "comment_id" bigint,

  CONSTRAINT "imported_item_pkey" PRIMARY KEY ("import_id", "key"),
  CONSTRAINT "imported_item_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "account_import" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "imported_item_one_check" CHECK (num_nonnulls("post_id", "comment_id") = 1)
);
