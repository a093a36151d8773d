-- Posts that people keep for themselves. Nobody else sees them, nor how many a post has.
CREATE TABLE "bookmark" (
  "account_id" bigint NOT NULL,
  "post_id"    bigint NOT NULL,
  -- Ascends with time: bookmarks are listed newest first.
  "id"         bigint NOT NULL DEFAULT next_id(),
  -- The author of the post, so that lists skip rows by the index alone.
  "author_id"  bigint NOT NULL,

  CONSTRAINT "bookmark_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "bookmark_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "bookmark_post_id_author_id_fkey" FOREIGN KEY ("post_id", "author_id") REFERENCES "post" ("id", "author_id")
    ON DELETE CASCADE ON UPDATE RESTRICT
);

-- GET /bookmarks.
CREATE INDEX "bookmark_account_id_id_post_id_author_id_idx" ON "bookmark" ("account_id", "id" DESC, "post_id", "author_id");
-- The bookmarks of a post, when it is deleted.
CREATE INDEX "bookmark_post_id_idx" ON "bookmark" ("post_id");

-- Shown to nobody: it says how many rows are deleted with a post, and whether to look for a bookmark.
ALTER TABLE "post" ADD COLUMN "bookmarks_count" integer NOT NULL DEFAULT 0;
