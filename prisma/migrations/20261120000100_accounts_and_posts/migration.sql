CREATE TABLE "account" (
  "id"              bigint         NOT NULL DEFAULT next_id(),
  "username"        varchar(32)    NOT NULL,
  "username_ci"     varchar(32)    NOT NULL,
  "email"           varchar(254)   NOT NULL,
  "email_ci"        varchar(254)   NOT NULL,
  "password_hash"   text           NOT NULL,
  "first_name"      varchar(25)    NOT NULL,
  "last_name"       varchar(30)    NOT NULL,
  "display_name"    varchar(56)    NOT NULL,
  "description"     text           NOT NULL DEFAULT '',
  "country"         text           NOT NULL DEFAULT '',
  "language"        varchar(35)    NOT NULL DEFAULT 'en',
  "verified"        boolean        NOT NULL DEFAULT false,
  "followers_count" integer        NOT NULL DEFAULT 0,
  "following_count" integer        NOT NULL DEFAULT 0,
  "posts_count"     integer        NOT NULL DEFAULT 0,
  "created_at"      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "account_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "account_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "account_username_check" CHECK ("username" ~ '^[A-Za-z0-9_]{5,32}$'),
  CONSTRAINT "account_username_ci_check" CHECK ("username_ci" = lower("username")),
  CONSTRAINT "account_email_ci_check" CHECK ("email_ci" = lower("email")),
  CONSTRAINT "account_names_check" CHECK ("first_name" <> '' AND "last_name" <> '' AND "display_name" <> ''),
  CONSTRAINT "account_counts_check" CHECK ("followers_count" >= 0 AND "following_count" >= 0 AND "posts_count" >= 0)
);

-- Names and e-mail addresses are unique whatever their case; also the look-ups of sign-in and mentions.
CREATE UNIQUE INDEX "account_username_ci_key" ON "account" ("username_ci");
CREATE UNIQUE INDEX "account_email_ci_key" ON "account" ("email_ci");

CREATE TABLE "post" (
  "id"             bigint         NOT NULL DEFAULT next_id(),
  "author_id"      bigint         NOT NULL,
  "text"           text           NOT NULL,
  "hashtags"       jsonb          NOT NULL DEFAULT '[]',
  "urls"           jsonb          NOT NULL DEFAULT '[]',
  "mention_ids"    bigint[],
  "likes_count"    integer        NOT NULL DEFAULT 0,
  "comments_count" integer        NOT NULL DEFAULT 0,
  "reposts_count"  integer        NOT NULL DEFAULT 0,
  "created_at"     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "post_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "post_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "post_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "post_text_check" CHECK (char_length("text") BETWEEN 1 AND 400),
  CONSTRAINT "post_mention_ids_check" CHECK (COALESCE(cardinality("mention_ids"), 0) <= 20),
  CONSTRAINT "post_counts_check" CHECK ("likes_count" >= 0 AND "comments_count" >= 0 AND "reposts_count" >= 0)
);

-- GET /post: the latest posts of one account.
CREATE INDEX "post_author_id_id_idx" ON "post" ("author_id", "id" DESC);
