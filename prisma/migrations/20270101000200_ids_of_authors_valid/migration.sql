-- after: 0.1.0
-- All rows meet the rules: they are older, or have an id in the shard of their owner.
ALTER TABLE "post" VALIDATE CONSTRAINT "post_shard_check";
ALTER TABLE "post_version" VALIDATE CONSTRAINT "post_version_shard_check";
ALTER TABLE "comment" VALIDATE CONSTRAINT "comment_shard_check";
ALTER TABLE "post_like" VALIDATE CONSTRAINT "post_like_shard_check";
ALTER TABLE "repost" VALIDATE CONSTRAINT "repost_shard_check";
ALTER TABLE "bookmark" VALIDATE CONSTRAINT "bookmark_shard_check";
ALTER TABLE "media" VALIDATE CONSTRAINT "media_shard_check";
ALTER TABLE "follow" VALIDATE CONSTRAINT "follow_shard_check";
ALTER TABLE "follow_request" VALIDATE CONSTRAINT "follow_request_shard_check";
ALTER TABLE "block" VALIDATE CONSTRAINT "block_shard_check";
ALTER TABLE "mute" VALIDATE CONSTRAINT "mute_shard_check";
ALTER TABLE "word_filter" VALIDATE CONSTRAINT "word_filter_shard_check";
