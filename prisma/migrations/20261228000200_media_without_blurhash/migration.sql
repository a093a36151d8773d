-- The job that computes the previews of pictures of earlier versions.
CREATE INDEX CONCURRENTLY "media_without_blurhash_idx" ON "media" ("id") WHERE "blurhash" IS NULL;
