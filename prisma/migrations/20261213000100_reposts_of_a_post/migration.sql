-- GET /reposts: who reposted a post, newest first. Also serves what repost_post_id_idx does.
CREATE INDEX CONCURRENTLY "repost_post_id_id_account_id_idx" ON "repost" ("post_id", "id" DESC, "account_id");
