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

-- A post whose media was deleted is no longer found by has:media.
CREATE FUNCTION post_search_forget_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "post_search" SET "words" = ts_delete("words", 'has:media') WHERE "post_id" = OLD."post_id";
  RETURN NULL;
END $$;
CREATE TRIGGER "post_search_forget_media" AFTER DELETE ON "media" FOR EACH ROW WHEN (OLD."post_id" IS NOT NULL)
  EXECUTE FUNCTION post_search_forget_media();

-- The lock keeps the posts until their words are stored. A row that an edit has written stays.
INSERT INTO "data_migration" ("name", "input", "statement", "table_name", "batch_size") VALUES ('20261224000000_fill_post_search',
  $$ SELECT "id", "author_id", "text", EXISTS (SELECT FROM "media" WHERE "post_id" = "post"."id") AS "has_media" FROM "post" WHERE "id" > $1 AND "id" <= $2 FOR KEY SHARE $$,
  $$ INSERT INTO "post_search" ("post_id", "author_id", "words")
     SELECT "post_id", "author_id", "words"::tsvector
     FROM jsonb_to_recordset($1::jsonb) AS t("post_id" bigint, "author_id" bigint, "words" text)
     ON CONFLICT DO NOTHING $$, 'post', 2000);
