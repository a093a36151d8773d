-- Words and phrases that people do not want to see. What matches is marked for them, and stays where it is.
CREATE TABLE "word_filter" (
  -- Ascends with time: filters are listed newest first.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  -- As the person wrote it.
  "text"       varchar(100)   NOT NULL,
  -- What it is compared by, as packages/db/src/text/search-words.ts folds it.
  "folded"     text           NOT NULL,
  -- Whether it also matches within words.
  "part"       boolean        NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: until the person removes it.
  "ends_at"    timestamptz(3),

  CONSTRAINT "word_filter_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "word_filter_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "word_filter_folded_check" CHECK ("folded" <> '')
);

-- A text is kept once. Everything that an account reads looks for its filters here; so does GET /filters.
CREATE UNIQUE INDEX "word_filter_account_id_folded_key" ON "word_filter" ("account_id", "folded");
-- The sweep of filters that have ended.
CREATE INDEX "word_filter_ends_at_idx" ON "word_filter" ("ends_at") WHERE "ends_at" IS NOT NULL;

-- Keeps a filter, or changes the one with the same text. Returns nothing if the account has as many others as it may have, or does not
-- exist. VOLATILE: after the lock, it counts what others have committed while it waited.
CREATE FUNCTION "keep_word_filter"("account" bigint, "wanted" varchar, "wanted_folded" text, "is_part" boolean, "until" timestamptz, "most" int)
  RETURNS SETOF "word_filter" LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM account a WHERE a.id = "account" AND a.deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR (
      SELECT count(*) FROM word_filter f
      WHERE f.account_id = "account" AND f.folded <> "wanted_folded" AND (f.ends_at IS NULL OR f.ends_at > now())
    ) >= "most" THEN
      RETURN;
    END IF;
    RETURN QUERY INSERT INTO word_filter AS f (account_id, text, folded, part, ends_at)
      VALUES ("account", "wanted", "wanted_folded", "is_part", "until")
      ON CONFLICT (account_id, folded) DO UPDATE SET text = excluded.text, part = excluded.part, ends_at = excluded.ends_at
      RETURNING f.*;
  END
$$;
