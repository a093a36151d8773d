-- Every list: is an account that a row names deleted or protected? Small, so that passing rows over costs little.
CREATE INDEX "account_hidden_idx" ON "account" ("id") WHERE "protected" OR "deleted_at" IS NOT NULL;

-- The lists, and passing over the rows of earlier pages: their indexes now hold all that is asked of such a row.
DROP INDEX "comment_post_id_id_idx";
-- GET /comment: the latest comments of one post.
CREATE INDEX "comment_post_id_id_author_id_idx" ON "comment" ("post_id", "id" DESC, "author_id");
DROP INDEX "post_like_account_id_id_idx";
-- GET /users/favorites.
CREATE INDEX "post_like_account_id_id_post_id_idx" ON "post_like" ("account_id", "id" DESC, "post_id");
DROP INDEX "follow_follower_id_id_idx";
-- GET /users/following, and whose posts GET /feed shows.
CREATE INDEX "follow_follower_id_id_followed_id_idx" ON "follow" ("follower_id", "id" DESC, "followed_id");
DROP INDEX "follow_followed_id_id_idx";
-- GET /users/followers.
CREATE INDEX "follow_followed_id_id_follower_id_idx" ON "follow" ("followed_id", "id" DESC, "follower_id");
