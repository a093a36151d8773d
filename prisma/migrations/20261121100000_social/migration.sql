CREATE TABLE "comment" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "post_id"    bigint         NOT NULL,
  "author_id"  bigint         NOT NULL,
  "text"       text           NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "comment_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "comment_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "comment_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "comment_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "comment_text_check" CHECK (char_length("text") BETWEEN 1 AND 1000)
);

-- GET /comment: the latest comments of one post.
CREATE INDEX "comment_post_id_id_idx" ON "comment" ("post_id", "id" DESC);
-- The comments of an account that is deleted.
CREATE INDEX "comment_author_id_idx" ON "comment" ("author_id");

CREATE TABLE "post_like" (
  "account_id" bigint NOT NULL,
  "post_id"    bigint NOT NULL,
  -- Ascends with time: favorites are listed newest like first.
  "id"         bigint NOT NULL DEFAULT next_id(),

  CONSTRAINT "post_like_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "post_like_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "post_like_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- GET /users/favorites.
CREATE INDEX "post_like_account_id_id_idx" ON "post_like" ("account_id", "id" DESC);
-- The likes of a post that is deleted.
CREATE INDEX "post_like_post_id_idx" ON "post_like" ("post_id");

CREATE TABLE "follow" (
  "follower_id" bigint NOT NULL,
  "followed_id" bigint NOT NULL,
  -- Ascends with time: both lists are newest first.
  "id"          bigint NOT NULL DEFAULT next_id(),

  CONSTRAINT "follow_pkey" PRIMARY KEY ("follower_id", "followed_id"),
  CONSTRAINT "follow_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_self_check" CHECK ("follower_id" <> "followed_id")
);

-- GET /users/following.
CREATE INDEX "follow_follower_id_id_idx" ON "follow" ("follower_id", "id" DESC);
-- GET /users/followers.
CREATE INDEX "follow_followed_id_id_idx" ON "follow" ("followed_id", "id" DESC);
