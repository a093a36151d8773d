ALTER TABLE "media"
  -- Where the picture stands in its post, from 0. There are gaps after one of them was deleted.
  ADD COLUMN "position" smallint NOT NULL DEFAULT 0,
  -- What the picture shows, in words, for people who do not see it; empty if its owner has not said.
  ADD COLUMN "alt" text NOT NULL DEFAULT '',
  -- A blurred preview of about 30 characters. Null until a job has computed it for pictures of earlier versions; empty if it
  -- could not.
  ADD COLUMN "blurhash" varchar(64),
  ADD CONSTRAINT "media_position_check" CHECK ("position" BETWEEN 0 AND 3) NOT VALID,
  ADD CONSTRAINT "media_alt_check" CHECK (char_length("alt") <= 1500) NOT VALID,
  ADD CONSTRAINT "media_blurhash_check" CHECK ("blurhash" ~ '^([0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~-]{6,})?$') NOT VALID;

-- A post is found by has:media until its last picture is deleted. The lock lets deletions of its pictures follow each other,
-- so that the last one sees no other.
CREATE OR REPLACE FUNCTION post_search_forget_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "post_search" WHERE "post_id" = OLD."post_id" FOR NO KEY UPDATE;
  UPDATE "post_search" SET "words" = ts_delete("words", 'has:media')
  WHERE "post_id" = OLD."post_id" AND NOT EXISTS (SELECT FROM "media" WHERE "post_id" = OLD."post_id");
  RETURN NULL;
END $$;
