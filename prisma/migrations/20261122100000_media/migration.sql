-- An uploaded image. The name is random and says the type; it is the address that readers get, and
-- the files of the renditions are kept under it.
CREATE TABLE "media" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "owner_id"   bigint         NOT NULL,
  -- The post it is shown with; null until it is attached.
  "post_id"    bigint,
  "name"       varchar(36)    NOT NULL,
  -- The full-size file: bytes as stored, pixels.
  "bytes"      integer        NOT NULL,
  "width"      integer        NOT NULL,
  "height"     integer        NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "media_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "media_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "media_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "media_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "media_name_check" CHECK ("name" ~ '^[0-9a-f]{32}\.(png|jpg)$'),
  CONSTRAINT "media_size_check" CHECK ("bytes" > 0 AND "width" > 0 AND "height" > 0)
);

-- Serving: every request for a file looks its name up.
CREATE UNIQUE INDEX "media_name_key" ON "media" ("name");
-- Showing a post; a post has one image.
CREATE UNIQUE INDEX "media_post_id_key" ON "media" ("post_id");
-- GET /media: the latest media of one account.
CREATE INDEX "media_owner_id_id_idx" ON "media" ("owner_id", "id" DESC);
-- The sweep of what was uploaded and never attached.
CREATE INDEX "media_unattached_idx" ON "media" ("created_at") WHERE "post_id" IS NULL;

-- Whether to look for a post's media: posts without any cost nothing. True may outlive the media.
ALTER TABLE "post" ADD COLUMN "has_media" boolean NOT NULL DEFAULT false;

ALTER TABLE "account"
  -- The name of the photo, as account objects show it; null for the drawn one.
  ADD COLUMN "avatar" varchar(36),
  ADD CONSTRAINT "account_avatar_fkey" FOREIGN KEY ("avatar") REFERENCES "media" ("name") ON DELETE SET NULL ON UPDATE RESTRICT;

-- The account whose photo is deleted; the sweep leaves photos alone.
CREATE INDEX "account_avatar_idx" ON "account" ("avatar") WHERE "avatar" IS NOT NULL;

-- Files whose record is gone, to be removed: written by the deletion itself, whatever caused it, so
-- that files go if and when it is committed.
CREATE TABLE "removed_media_file" (
  "name" varchar(36) NOT NULL,

  CONSTRAINT "removed_media_file_pkey" PRIMARY KEY ("name")
);

CREATE FUNCTION "note_removed_media"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO removed_media_file (name) SELECT name FROM gone ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "media_removed" AFTER DELETE ON "media"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_removed_media();
