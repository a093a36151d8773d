COMMENT ON INDEX "media_post_id_position_key" IS 'Showing a post: its pictures in their order.';
COMMENT ON INDEX "media_without_blurhash_idx" IS 'The job that computes the previews of pictures of earlier versions.';

ALTER TABLE "media" VALIDATE CONSTRAINT "media_position_check";
ALTER TABLE "media" VALIDATE CONSTRAINT "media_alt_check";
ALTER TABLE "media" VALIDATE CONSTRAINT "media_blurhash_check";
