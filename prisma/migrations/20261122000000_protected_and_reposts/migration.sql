ALTER TABLE "account"
  ADD COLUMN "protected"  boolean NOT NULL DEFAULT false,
  -- Deleted: gone for everyone else at once, restorable by an operator for 14 days.
  ADD COLUMN "deleted_at" timestamptz(3);

-- The sweep of accounts whose 14 days have passed.
CREATE INDEX "account_deleted_at_idx" ON "account" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- A name its owner gave up: reserved, and redirected, until its time has passed.
CREATE TABLE "old_username" (
  "username_ci" varchar(32)    NOT NULL,
  "account_id"  bigint         NOT NULL,
  "until"       timestamptz(3) NOT NULL,

  CONSTRAINT "old_username_pkey" PRIMARY KEY ("username_ci"),
  CONSTRAINT "old_username_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "old_username_username_ci_check" CHECK ("username_ci" ~ '^[a-z0-9_]{5,32}$')
);

-- The old names of an account that is deleted.
CREATE INDEX "old_username_account_id_idx" ON "old_username" ("account_id");

CREATE TABLE "follow_request" (
  "follower_id" bigint NOT NULL,
  "followed_id" bigint NOT NULL,
  -- Ascends with time: requests are listed newest first.
  "id"          bigint NOT NULL DEFAULT next_id(),

  CONSTRAINT "follow_request_pkey" PRIMARY KEY ("follower_id", "followed_id"),
  CONSTRAINT "follow_request_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_request_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "follow_request_self_check" CHECK ("follower_id" <> "followed_id")
);

-- GET /follows/requests.
CREATE INDEX "follow_request_followed_id_id_idx" ON "follow_request" ("followed_id", "id" DESC);

CREATE TABLE "repost" (
  "account_id" bigint         NOT NULL,
  "post_id"    bigint         NOT NULL,
  -- From the same sequence as the ids of posts: both ascend with time side by side in one list.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "repost_pkey" PRIMARY KEY ("account_id", "post_id"),
  CONSTRAINT "repost_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "repost_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- GET /post and GET /feed: the latest reposts of one account.
CREATE INDEX "repost_account_id_id_idx" ON "repost" ("account_id", "id" DESC);
-- The reposts of a post that is deleted.
CREATE INDEX "repost_post_id_idx" ON "repost" ("post_id");
