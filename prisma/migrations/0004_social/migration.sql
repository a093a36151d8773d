CREATE TABLE "post_like" (
  "account_id" bigint NOT NULL,
  "post_id"    bigint NOT NULL,
  -- Ascends with time: favorites are listed newest like first.
  "id"         bigint NOT NULL,
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id"  bigint NOT NULL,

  CONSTRAINT "post_like_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "post_like_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "post_like_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id")
    REFERENCES "post" ("id", "author_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "post_like_shard_check" CHECK ((("id" # "author_id") & 4092) = 0)
);

-- GET /users/favorites.
CREATE INDEX "post_like_account_id_id_post_id_author_id_idx"
  ON "post_like" ("account_id", "id" DESC, "post_id", "author_id");
-- GET /likes: who likes a post, newest first. Also the likes of a post that is deleted.
CREATE INDEX "post_like_post_id_id_account_id_idx" ON "post_like" ("post_id", "id" DESC, "account_id");

CREATE TRIGGER "post_like_id_in_shard" BEFORE INSERT ON "post_like" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('author_id');
ALTER TABLE "post_like" ENABLE ALWAYS TRIGGER "post_like_id_in_shard";

CREATE TABLE "follow" (
  "follower_id" bigint  NOT NULL,
  "followed_id" bigint  NOT NULL,
  -- Ascends with time: both lists are newest first.
  "id"          bigint  NOT NULL,
  -- Whether a follow came from a request. NULL: no. Archives of deleted accounts keep it.
  "approved"    boolean,

  CONSTRAINT "follow_pkey" PRIMARY KEY ("follower_id", "followed_id"),
  CONSTRAINT "follow_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_self_check" CHECK ("follower_id" <> "followed_id"),
  CONSTRAINT "follow_shard_check" CHECK ((("id" # "follower_id") & 4092) = 0)
);

-- GET /users/following, and whose posts GET /feed shows.
CREATE INDEX "follow_follower_id_id_followed_id_idx" ON "follow" ("follower_id", "id" DESC, "followed_id");
-- GET /users/followers.
CREATE INDEX "follow_followed_id_id_follower_id_idx" ON "follow" ("followed_id", "id" DESC, "follower_id");

CREATE TRIGGER "follow_id_in_shard" BEFORE INSERT ON "follow" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('follower_id');
ALTER TABLE "follow" ENABLE ALWAYS TRIGGER "follow_id_in_shard";

CREATE TABLE "follow_request" (
  "follower_id" bigint NOT NULL,
  "followed_id" bigint NOT NULL,
  -- Ascends with time: requests are listed newest first.
  "id"          bigint NOT NULL,

  CONSTRAINT "follow_request_pkey" PRIMARY KEY ("follower_id", "followed_id"),
  CONSTRAINT "follow_request_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_request_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_request_self_check" CHECK ("follower_id" <> "followed_id"),
  CONSTRAINT "follow_request_shard_check" CHECK ((("id" # "follower_id") & 4092) = 0)
);

-- GET /follows/requests.
CREATE INDEX "follow_request_followed_id_id_follower_id_idx" ON "follow_request" ("followed_id", "id" DESC, "follower_id");

CREATE TRIGGER "follow_request_id_in_shard" BEFORE INSERT ON "follow_request" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('follower_id');
ALTER TABLE "follow_request" ENABLE ALWAYS TRIGGER "follow_request_id_in_shard";

CREATE TABLE "repost" (
  "account_id" bigint         NOT NULL,
  "post_id"    bigint         NOT NULL,
  -- From the same sequence as the ids of posts: both ascend with time side by side in one list.
  "id"         bigint         NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id"  bigint         NOT NULL,

  CONSTRAINT "repost_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "repost_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "repost_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id")
    REFERENCES "post" ("id", "author_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "repost_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

-- GET /post and GET /feed: the latest reposts of one account.
CREATE INDEX "repost_account_id_id_post_id_author_id_idx"
  ON "repost" ("account_id", "id" DESC, "post_id", "author_id");
-- GET /feed: the latest reposts of all accounts.
CREATE INDEX "repost_id_account_id_post_id_author_id_idx" ON "repost" ("id", "account_id", "post_id", "author_id");
-- GET /reposts: who reposted a post, newest first. Also the reposts of a post that is deleted.
CREATE INDEX "repost_post_id_id_account_id_idx" ON "repost" ("post_id", "id" DESC, "account_id");

CREATE TRIGGER "repost_id_in_shard" BEFORE INSERT ON "repost" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "repost" ENABLE ALWAYS TRIGGER "repost_id_in_shard";

-- What a deleted account liked, followed, commented and reposted, until it is restored or its 14 days are over.
-- Here it counts no more; `record` is the row as it was.
CREATE TABLE "set_aside" (
  "account_id" bigint      NOT NULL,
  "kind"       varchar(16) NOT NULL,
  "id"         bigint      NOT NULL,
  "record"     jsonb       NOT NULL,

  CONSTRAINT "set_aside_pkey" PRIMARY KEY ("account_id", "kind", "id"),
  CONSTRAINT "set_aside_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "set_aside_kind_check" CHECK ("kind" IN ('like', 'repost', 'comment', 'follow'))
);

-- People who do not want to meet: blocks hide both from each other, mutes hide others from oneself.
CREATE TABLE "block" (
  "blocker_id" bigint         NOT NULL,
  "blocked_id" bigint         NOT NULL,
  -- Ascends with time: blocks are listed newest first.
  "id"         bigint         NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "block_pkey" PRIMARY KEY ("blocker_id", "blocked_id"),
  CONSTRAINT "block_blocker_id_fkey" FOREIGN KEY ("blocker_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "block_blocked_id_fkey" FOREIGN KEY ("blocked_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "block_self_check" CHECK ("blocker_id" <> "blocked_id"),
  CONSTRAINT "block_shard_check" CHECK ((("id" # "blocker_id") & 4092) = 0)
);

-- GET /blocks.
CREATE INDEX "block_blocker_id_id_blocked_id_idx" ON "block" ("blocker_id", "id" DESC, "blocked_id");
-- Who blocks the reader of a list; the blocks of an account that is erased.
CREATE INDEX "block_blocked_id_blocker_id_idx" ON "block" ("blocked_id", "blocker_id");

CREATE TRIGGER "block_id_in_shard" BEFORE INSERT ON "block" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('blocker_id');
ALTER TABLE "block" ENABLE ALWAYS TRIGGER "block_id_in_shard";

CREATE TABLE "mute" (
  "muter_id"   bigint         NOT NULL,
  "muted_id"   bigint         NOT NULL,
  -- Ascends with time: mutes are listed newest first.
  "id"         bigint         NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: until the person removes it.
  "ends_at"    timestamptz(3),

  CONSTRAINT "mute_pkey" PRIMARY KEY ("muter_id", "muted_id"),
  CONSTRAINT "mute_muter_id_fkey" FOREIGN KEY ("muter_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "mute_muted_id_fkey" FOREIGN KEY ("muted_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "mute_self_check" CHECK ("muter_id" <> "muted_id"),
  CONSTRAINT "mute_shard_check" CHECK ((("id" # "muter_id") & 4092) = 0)
);

-- GET /mutes.
CREATE INDEX "mute_muter_id_id_muted_id_idx" ON "mute" ("muter_id", "id" DESC, "muted_id");
-- The mutes of an account that is erased.
CREATE INDEX "mute_muted_id_idx" ON "mute" ("muted_id");
-- The sweep of mutes that have ended.
CREATE INDEX "mute_ends_at_idx" ON "mute" ("ends_at") WHERE "ends_at" IS NOT NULL;

CREATE TRIGGER "mute_id_in_shard" BEFORE INSERT ON "mute" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('muter_id');
ALTER TABLE "mute" ENABLE ALWAYS TRIGGER "mute_id_in_shard";

-- Whether one of two accounts blocks the other. VOLATILE: it also sees a block that was committed while the calling
-- statement waited for a lock, which the snapshot of that statement does not show.
CREATE FUNCTION "is_blocked"("one" bigint, "other" bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      RETURN EXISTS (SELECT 1 FROM block WHERE (blocker_id = one AND blocked_id = other) OR (blocker_id = other AND blocked_id = one));
    END
  $$;

-- Posts that people keep for themselves. Nobody else sees them, nor how many a post has.
CREATE TABLE "bookmark" (
  "account_id" bigint NOT NULL,
  "post_id"    bigint NOT NULL,
  -- Ascends with time: bookmarks are listed newest first.
  "id"         bigint NOT NULL,
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id"  bigint NOT NULL,

  CONSTRAINT "bookmark_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "bookmark_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "bookmark_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "bookmark_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

-- GET /bookmarks.
CREATE INDEX "bookmark_account_id_id_post_id_author_id_idx" ON "bookmark" ("account_id", "id" DESC, "post_id", "author_id");
-- The bookmarks of a post, when it is deleted.
CREATE INDEX "bookmark_post_id_idx" ON "bookmark" ("post_id");

CREATE TRIGGER "bookmark_id_in_shard" BEFORE INSERT ON "bookmark" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "bookmark" ENABLE ALWAYS TRIGGER "bookmark_id_in_shard";

-- Reports of accounts, posts and comments. The open reports of one subject are one case, which operators resolve.
CREATE TYPE "report_subject" AS ENUM ('account', 'post', 'comment');

CREATE TYPE "report_reason" AS ENUM (
  'spam', 'harassment', 'hate', 'violence', 'sexual', 'impersonation', 'self_harm', 'illegal', 'other'
);

CREATE TYPE "report_outcome" AS ENUM ('dismissed', 'deleted', 'suspended');

CREATE TABLE "report_case" (
  "id"            bigint           NOT NULL DEFAULT next_id(),
  "subject_type"  "report_subject" NOT NULL,
  -- No foreign key: the case outlives a deleted post or comment.
  "subject_id"    bigint           NOT NULL,
  -- Whose post or comment it is, or the reported account.
  "account_id"    bigint           NOT NULL,
  -- The post, or the one that the comment is on.
  "post_id"       bigint,
  "reports_count" integer          NOT NULL DEFAULT 1,
  "created_at"    timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "latest_at"     timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "resolved_at"   timestamptz(3),
  "outcome"       "report_outcome",
  -- What the mails name: the rule that the operator applied, and whether all posts of the account are deleted.
  "rule"          "report_reason",
  "posts_deleted" boolean          NOT NULL DEFAULT false,

  CONSTRAINT "report_case_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "report_case_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "report_case_post_check" CHECK (("subject_type" = 'account') = ("post_id" IS NULL)),
  CONSTRAINT "report_case_count_check" CHECK ("reports_count" > 0),
  CONSTRAINT "report_case_resolved_check" CHECK (("resolved_at" IS NULL) = ("outcome" IS NULL) AND ("resolved_at" IS NULL) = ("rule" IS NULL)),
  CONSTRAINT "report_case_posts_deleted_check" CHECK (NOT "posts_deleted" OR ("outcome" IS NOT NULL AND "outcome" <> 'dismissed'))
);

-- Reports of one subject belong to one open case.
CREATE UNIQUE INDEX "report_case_open_key" ON "report_case" ("subject_type", "subject_id") WHERE "resolved_at" IS NULL;
-- /admin/reports, most reported first.
CREATE INDEX "report_case_open_count_idx" ON "report_case" ("reports_count" DESC, "id" DESC) WHERE "resolved_at" IS NULL;
-- /admin/reports, newest first.
CREATE INDEX "report_case_open_id_idx" ON "report_case" ("id" DESC) WHERE "resolved_at" IS NULL;
-- The cases about an account that is erased.
CREATE INDEX "report_case_account_id_idx" ON "report_case" ("account_id");
-- The sweep of resolved cases.
CREATE INDEX "report_case_resolved_at_idx" ON "report_case" ("resolved_at") WHERE "resolved_at" IS NOT NULL;

CREATE TABLE "report" (
  "id"          bigint          NOT NULL DEFAULT next_id(),
  "case_id"     bigint          NOT NULL,
  -- Null: the account was erased.
  "reporter_id" bigint,
  "reason"      "report_reason" NOT NULL,
  -- What the reporter wrote; may be empty.
  "text"        text            NOT NULL DEFAULT '',
  -- What was reported, as it was then.
  "content"     text            NOT NULL,
  "created_at"  timestamptz(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "report_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "report_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "report_case" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "report_reporter_id_fkey" FOREIGN KEY ("reporter_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "report_text_check" CHECK (char_length("text") <= 1000)
);

-- A person reports a subject once while its case is open; /admin/reports/{id}.
CREATE UNIQUE INDEX "report_case_id_reporter_id_key" ON "report" ("case_id", "reporter_id");
-- The reports of a day, the export, and the reports of an account that is erased.
CREATE INDEX "report_reporter_id_id_idx" ON "report" ("reporter_id", "id" DESC);

-- Words and phrases that people do not want to see. What matches is marked for them, and stays where it is.
CREATE TABLE "word_filter" (
  -- Ascends with time: filters are listed newest first.
  "id"         bigint         NOT NULL,
  "account_id" bigint         NOT NULL,
  -- As the person wrote it.
  "text"       varchar(100)   NOT NULL,
  -- What it is compared by, as packages/db/src/text/search-words.ts folds it.
  "folded"     text           NOT NULL,
  -- Whether it also matches within words.
  "part"       boolean        NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: until the person removes it.
  "ends_at"    timestamptz(3),

  CONSTRAINT "word_filter_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "word_filter_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "word_filter_folded_check" CHECK ("folded" <> ''),
  CONSTRAINT "word_filter_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

-- A text is kept once. Everything that an account reads looks for its filters here; so does GET /filters.
CREATE UNIQUE INDEX "word_filter_account_id_folded_key" ON "word_filter" ("account_id", "folded");
-- The sweep of filters that have ended.
CREATE INDEX "word_filter_ends_at_idx" ON "word_filter" ("ends_at") WHERE "ends_at" IS NOT NULL;

CREATE TRIGGER "word_filter_id_in_shard" BEFORE INSERT ON "word_filter" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "word_filter" ENABLE ALWAYS TRIGGER "word_filter_id_in_shard";

-- Keeps a filter, or changes the one with the same text. Returns nothing if the account has as many others as it may have, or does not
-- exist. VOLATILE: after the lock, it counts what others have committed while it waited.
CREATE FUNCTION "keep_word_filter"("account" bigint, "wanted" varchar, "wanted_folded" text, "is_part" boolean, "until" timestamptz, "most" int)
  RETURNS SETOF "word_filter" LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM account a WHERE a.id = "account" AND a.hidden_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR (
      SELECT count(*) FROM word_filter f
      WHERE f.account_id = "account" AND f.folded <> "wanted_folded" AND (f.ends_at IS NULL OR f.ends_at > now())
    ) >= "most" THEN
      RETURN;
    END IF;
    RETURN QUERY INSERT INTO word_filter AS f (account_id, text, folded, part, ends_at)
      VALUES ("account", "wanted", "wanted_folded", "is_part", "until")
      ON CONFLICT (account_id, folded) DO UPDATE SET text = excluded.text, part = excluded.part, ends_at = excluded.ends_at
      RETURNING f.*;
  END
$$;

-- Hashtags that people follow: the feed shows posts with them.
CREATE TABLE "hashtag_follow" (
  "account_id" bigint NOT NULL,
  -- As in post_hashtag.
  "hashtag"    varchar(100) COLLATE "C" NOT NULL,
  -- Ascends with time: hashtags are listed newest first.
  "id"         bigint NOT NULL,

  -- GET /hashtags/follows and GET /feed: an account has at most 100.
  CONSTRAINT "hashtag_follow_pkey" PRIMARY KEY ("account_id", "hashtag"),
  CONSTRAINT "hashtag_follow_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "hashtag_follow_hashtag_check" CHECK ("hashtag" <> ''),
  CONSTRAINT "hashtag_follow_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

CREATE TRIGGER "hashtag_follow_id_in_shard" BEFORE INSERT ON "hashtag_follow" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "hashtag_follow" ENABLE ALWAYS TRIGGER "hashtag_follow_id_in_shard";

-- Whether the account follows the hashtag then. It does not if it follows as many others as it may, or does not exist. VOLATILE, as above.
CREATE FUNCTION "follow_hashtag"("account" bigint, "wanted" varchar, "most" int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM account a WHERE a.id = "account" AND a.hidden_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR (SELECT count(*) FROM hashtag_follow f WHERE f.account_id = "account" AND f.hashtag <> "wanted") >= "most" THEN
      RETURN false;
    END IF;
    INSERT INTO hashtag_follow (account_id, hashtag) VALUES ("account", "wanted") ON CONFLICT DO NOTHING;
    RETURN true;
  END
$$;

-- Test people and everybody else act upon accounts of their own kind only; nobody's applications but those of their developer find them.
-- Tables of what concerns two accounts name the columns of both. "post_id", "quote_id" and "case_id" lead to the account.
CREATE FUNCTION "keep_test_people_apart"() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    actor bigint := to_jsonb(NEW) ->> TG_ARGV[0];
    target bigint := to_jsonb(NEW) ->> TG_ARGV[1];
    owners bigint[];
  BEGIN
    IF TG_ARGV[1] IN ('post_id', 'quote_id') THEN
      target := (SELECT author_id FROM post WHERE id = target);
    ELSIF TG_ARGV[1] = 'case_id' THEN
      target := (SELECT account_id FROM report_case WHERE id = target);
    END IF;
    owners := ARRAY(SELECT test_owner_id FROM account WHERE id = actor UNION ALL SELECT test_owner_id FROM account WHERE id = target);
    -- Operators read what is reported.
    IF owners[1] IS DISTINCT FROM owners[2] OR (TG_ARGV[1] = 'case_id' AND owners[1] IS NOT NULL) THEN
      RAISE EXCEPTION 'test people act among themselves' USING ERRCODE = 'check_violation', CONSTRAINT = 'test_people_apart';
    END IF;
    RETURN NEW;
  END
$$;

CREATE TRIGGER "post_like_keep_apart" BEFORE INSERT ON "post_like" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('account_id', 'author_id');
CREATE TRIGGER "repost_keep_apart" BEFORE INSERT ON "repost" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('account_id', 'author_id');
CREATE TRIGGER "post_keep_apart" BEFORE INSERT ON "post" FOR EACH ROW WHEN (NEW."quote_id" IS NOT NULL AND current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('author_id', 'quote_id');
CREATE TRIGGER "bookmark_keep_apart" BEFORE INSERT ON "bookmark" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('account_id', 'author_id');
CREATE TRIGGER "comment_keep_apart" BEFORE INSERT ON "comment" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('author_id', 'post_id');
CREATE TRIGGER "mention_keep_apart" BEFORE INSERT ON "mention" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('author_id', 'account_id');
CREATE TRIGGER "follow_keep_apart" BEFORE INSERT ON "follow" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('follower_id', 'followed_id');
CREATE TRIGGER "follow_request_keep_apart" BEFORE INSERT ON "follow_request" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('follower_id', 'followed_id');
CREATE TRIGGER "block_keep_apart" BEFORE INSERT ON "block" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('blocker_id', 'blocked_id');
CREATE TRIGGER "mute_keep_apart" BEFORE INSERT ON "mute" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('muter_id', 'muted_id');
CREATE TRIGGER "report_keep_apart" BEFORE INSERT ON "report" FOR EACH ROW WHEN (current_setting('linnet.sandbox', true) <> '')
  EXECUTE FUNCTION "keep_test_people_apart"('reporter_id', 'case_id');
