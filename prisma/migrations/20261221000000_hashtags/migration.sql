-- The hashtags of posts, one row each, and those that are used much now. Posts keep their hashtags as they were written.
CREATE TABLE "post_hashtag" (
  -- Folded by `foldCase` of packages/db. "C": prefixes are ranges of the index. Longer hashtags are links to nothing.
  "hashtag"   varchar(100) COLLATE "C" NOT NULL,
  "post_id"   bigint                   NOT NULL,
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id" bigint                   NOT NULL,

  -- Also the latest hashtags of all posts, for trends, and those of a post, when it is deleted.
  CONSTRAINT "post_hashtag_pkey" PRIMARY KEY ("post_id", "hashtag"),
  CONSTRAINT "post_hashtag_hashtag_check" CHECK ("hashtag" <> ''),
  CONSTRAINT "post_hashtag_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT
);

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

-- For what SQL cannot compute: reads the rows of a batch. A function of the migration's name (packages/db/src/migration/conversions.ts)
-- converts them, and "statement" gets the result as jsonb in $1.
ALTER TABLE "data_migration" ADD COLUMN "input" text;

-- The lock keeps the posts until their hashtags are stored.
INSERT INTO "data_migration" ("name", "input", "statement", "table_name", "batch_size") VALUES ('20261221000000_fill_hashtags',
  $$ SELECT "id", "author_id", "hashtags" FROM "post" WHERE "id" > $1 AND "id" <= $2 AND "hashtags" <> '[]' FOR KEY SHARE $$,
  $$ INSERT INTO "post_hashtag" ("post_id", "author_id", "hashtag")
     SELECT "post_id", "author_id", "hashtag" FROM jsonb_to_recordset($1::jsonb) AS t("post_id" bigint, "author_id" bigint, "hashtag" text)
     ON CONFLICT DO NOTHING $$, 'post', 5000);
