-- The names of accounts, by which GET /search/users finds them.
CREATE TABLE "account_search" (
  "account_id"   bigint      NOT NULL,
  -- As in "account"."username_ci".
  "username"     varchar(32) NOT NULL,
  -- The words of the names, as packages/db/src/text/search-words.ts writes them.
  "display_name" tsvector    NOT NULL,
  "first_name"   tsvector    NOT NULL,
  "last_name"    tsvector    NOT NULL,
  -- What searches look for: written by a trigger from the columns above.
  "words"        tsvector    NOT NULL,
  -- The binary digits of the number of followers: it seldom changes.
  "popularity"   smallint    NOT NULL,
  -- Of a suspended or deleted account.
  "hidden"       boolean     NOT NULL,

  CONSTRAINT "account_search_pkey" PRIMARY KEY ("account_id"),
  CONSTRAINT "account_search_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- GET /search/users: all accounts with a rare word. New names are first collected, as in "post_search".
CREATE INDEX "account_search_words_idx" ON "account_search" USING gin ("words") WITH (gin_pending_list_limit = 256);
-- GET /search/users: the accounts with the most followers, of which those with a frequent word are found without "words".
CREATE INDEX "account_search_popularity_account_id_idx" ON "account_search" ("popularity" DESC, "account_id" DESC) WHERE NOT "hidden";

CREATE FUNCTION "popularity_of"("followers" integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT length(ltrim("followers"::bit(32)::text, '0'))::smallint
$$;

-- Words and username; the username after '@'; and after '~' the words of four or more characters, as they are and without each one of their
-- first 16 characters. Two words that differ by one missing, additional, wrong or swapped character have one of these in common.
CREATE FUNCTION "words_of_account"("username" text, "names" tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH word AS (
    SELECT w FROM unnest(tsvector_to_array("names") || "username" || string_to_array("username", '_')) w WHERE w <> ''
  ), start AS (
    SELECT left(w, 16) AS w FROM word WHERE length(w) >= 4
  )
  SELECT array_to_tsvector(array_agg(DISTINCT lexeme)) FROM (
    SELECT w FROM word
    UNION ALL SELECT '@' || "username"
    UNION ALL SELECT '~' || w FROM start
    UNION ALL SELECT '~' || overlay(w PLACING '' FROM n FOR 1) FROM start, generate_series(1, length(w)) n
  ) lexemes (lexeme)
$$;

CREATE FUNCTION "write_words_of_account"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.words := words_of_account(NEW.username, NEW.display_name || NEW.first_name || NEW.last_name);
    RETURN NEW;
  END
$$;
CREATE TRIGGER "account_search_insert" BEFORE INSERT ON "account_search" FOR EACH ROW EXECUTE FUNCTION "write_words_of_account"();
CREATE TRIGGER "account_search_update" BEFORE UPDATE OF "username", "display_name", "first_name", "last_name" ON "account_search" FOR EACH ROW
  WHEN ((OLD."username", OLD."display_name", OLD."first_name", OLD."last_name")
    IS DISTINCT FROM (NEW."username", NEW."display_name", NEW."first_name", NEW."last_name"))
  EXECUTE FUNCTION "write_words_of_account"();

-- What an account changes, its row changes with it, in the same transaction. Statements in functions also see a row that was stored
-- while the statement that calls them waited for the account.
CREATE FUNCTION "note_account_names"("account" bigint, "display" tsvector, "first" tsvector, "last" tsvector) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF COALESCE("display", "first", "last") IS NOT NULL THEN
      UPDATE account_search s SET display_name = COALESCE("display", s.display_name), first_name = COALESCE("first", s.first_name),
        last_name = COALESCE("last", s.last_name)
      WHERE s.account_id = "account";
    END IF;
  END
$$;

CREATE FUNCTION "note_account_search"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.erased_at IS NOT NULL THEN
      DELETE FROM account_search WHERE account_id = NEW.id;
    ELSE
      UPDATE account_search SET username = NEW.username_ci, popularity = popularity_of(NEW.followers_count),
        hidden = NEW.suspended_at IS NOT NULL OR NEW.deleted_at IS NOT NULL
      WHERE account_id = NEW.id;
    END IF;
    RETURN NULL;
  END
$$;
-- x # y > x & y: the two numbers have different numbers of binary digits.
CREATE TRIGGER "account_note_search" AFTER UPDATE OF "username_ci", "followers_count", "suspended_at", "deleted_at", "erased_at" ON "account"
  FOR EACH ROW WHEN (OLD."username_ci" <> NEW."username_ci"
    OR (OLD."followers_count" # NEW."followers_count") > (OLD."followers_count" & NEW."followers_count")
    OR (OLD."suspended_at" IS NULL AND OLD."deleted_at" IS NULL) <> (NEW."suspended_at" IS NULL AND NEW."deleted_at" IS NULL)
    OR (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL))
  EXECUTE FUNCTION "note_account_search"();

-- The lock keeps the names until their words are stored. Rows that exist are written anew: a previous version may have changed the names.
INSERT INTO "data_migration" ("name", "input", "statement", "table_name", "batch_size") VALUES ('20261229000000_fill_account_search',
  $$ SELECT "id", "display_name", "first_name", "last_name" FROM "account" WHERE "id" > $1 AND "id" <= $2 AND "erased_at" IS NULL ORDER BY "id" FOR SHARE $$,
  $$ INSERT INTO "account_search" ("account_id", "username", "display_name", "first_name", "last_name", "popularity", "hidden")
     SELECT a."id", a."username_ci", t."display_name"::tsvector, t."first_name"::tsvector, t."last_name"::tsvector,
       popularity_of(a."followers_count"), a."suspended_at" IS NOT NULL OR a."deleted_at" IS NOT NULL
     FROM jsonb_to_recordset($1::jsonb) AS t("id" bigint, "display_name" text, "first_name" text, "last_name" text) JOIN "account" a USING ("id")
     ON CONFLICT ("account_id") DO UPDATE SET "display_name" = EXCLUDED."display_name", "first_name" = EXCLUDED."first_name",
       "last_name" = EXCLUDED."last_name" $$, 'account', 500);
