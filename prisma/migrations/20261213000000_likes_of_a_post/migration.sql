-- GET /likes: who likes a post, newest first. Also serves what post_like_post_id_idx does.
CREATE INDEX CONCURRENTLY "post_like_post_id_id_account_id_idx" ON "post_like" ("post_id", "id" DESC, "account_id");
