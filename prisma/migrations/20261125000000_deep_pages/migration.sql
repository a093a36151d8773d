-- A list passes over the rows of earlier pages by its index alone. Whether a viewer may see a liked or reposted
-- post hangs on the post's author, so that the author stands in the mark too. It never changes, and the foreign
-- keys hold it to the post's own.
CREATE UNIQUE INDEX "post_id_author_id_key" ON "post" ("id", "author_id");

ALTER TABLE "post_like" ADD COLUMN "author_id" bigint;
UPDATE "post_like" m SET "author_id" = p."author_id" FROM "post" p WHERE p."id" = m."post_id";
ALTER TABLE "post_like"
  ALTER COLUMN "author_id" SET NOT NULL,
  DROP CONSTRAINT "post_like_post_id_fkey",
  ADD CONSTRAINT "post_like_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id")
    REFERENCES "post" ("id", "author_id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE "repost" ADD COLUMN "author_id" bigint;
UPDATE "repost" m SET "author_id" = p."author_id" FROM "post" p WHERE p."id" = m."post_id";
ALTER TABLE "repost"
  ALTER COLUMN "author_id" SET NOT NULL,
  DROP CONSTRAINT "repost_post_id_fkey",
  ADD CONSTRAINT "repost_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id")
    REFERENCES "post" ("id", "author_id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- Rows are put back as they were set aside. Those whose post is gone are not put back.
UPDATE "set_aside" s SET "record" = s."record" || jsonb_build_object('author_id', p."author_id")
FROM "post" p WHERE s."kind" IN ('like', 'repost') AND p."id" = (s."record" ->> 'post_id')::bigint;

-- All that is asked of a row that is passed over stands in the index.
DROP INDEX "post_like_account_id_id_post_id_idx";
-- GET /users/favorites.
CREATE INDEX "post_like_account_id_id_post_id_author_id_idx"
  ON "post_like" ("account_id", "id" DESC, "post_id", "author_id");
DROP INDEX "repost_account_id_id_idx";
-- GET /post and GET /feed: the latest reposts of one account.
CREATE INDEX "repost_account_id_id_post_id_author_id_idx"
  ON "repost" ("account_id", "id" DESC, "post_id", "author_id");
-- GET /feed: the latest reposts of all accounts.
CREATE INDEX "repost_id_account_id_post_id_author_id_idx" ON "repost" ("id", "account_id", "post_id", "author_id");
DROP INDEX "follow_request_followed_id_id_idx";
-- GET /follows/requests.
CREATE INDEX "follow_request_followed_id_id_follower_id_idx" ON "follow_request" ("followed_id", "id" DESC, "follower_id");
DROP INDEX "media_owner_id_id_idx";
-- GET /media: the latest media of one account.
CREATE INDEX "media_owner_id_id_post_id_idx" ON "media" ("owner_id", "id" DESC, "post_id");

-- Lists of accounts and of comments: is an account that a row names deleted? Those that are protected count for nothing here.
CREATE INDEX "account_gone_idx" ON "account" ("id") WHERE "deleted_at" IS NOT NULL;
