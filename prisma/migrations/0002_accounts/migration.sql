-- What usernames are compared by: the skeleton of UTS 39 for their characters, without underscores. An i counts as an
-- l, because a capital I looks like one. The same as toNameKey() in packages/accounts for such names, with digits read as letters.
CREATE FUNCTION "username_key"("name" text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT replace(translate(replace(lower(name), '_', ''), '01i34578', 'olleastb'), 'm', 'rn') $$;

-- Who may quote posts of an account, besides itself: a protected account counts as nobody.
CREATE TYPE "post_quoters" AS ENUM ('everyone', 'followers', 'nobody');

CREATE TABLE "account" (
  "id"                 bigint         NOT NULL DEFAULT next_account_id(),
  "username"           varchar(32)    NOT NULL,
  "username_ci"        varchar(32)    NOT NULL,
  "email"              varchar(254)   NOT NULL,
  "email_ci"           varchar(254)   NOT NULL,
  "password_hash"      text           NOT NULL,
  "first_name"         varchar(25)    NOT NULL,
  "last_name"          varchar(30)    NOT NULL,
  "display_name"       varchar(56)    NOT NULL,
  "description"        text           NOT NULL DEFAULT '',
  "country"            text           NOT NULL DEFAULT '',
  "language"           varchar(35)    NOT NULL DEFAULT 'en',
  "verified"           boolean        NOT NULL DEFAULT false,
  "followers_count"    integer        NOT NULL DEFAULT 0,
  "following_count"    integer        NOT NULL DEFAULT 0,
  "posts_count"        integer        NOT NULL DEFAULT 0,
  "created_at"         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "epoch"              integer        NOT NULL DEFAULT 0,
  "protected"          boolean        NOT NULL DEFAULT false,
  -- Deleted: gone for everyone else at once, restorable by an operator for 14 days.
  "deleted_at"         timestamptz(3),
  -- The name of the photo, as account objects show it; null for the drawn one.
  "avatar"             varchar(36),
  -- The 14 days are over: only the id is left, for what still names it.
  "erased_at"          timestamptz(3),
  "suspended_at"       timestamptz(3),
  -- Why, as the operator chose to show it to the person; and what the person says to it, once. Both end with the suspension.
  "suspension_reason"  varchar(500),
  "appeal"             varchar(2000),
  "appealed_at"        timestamptz(3),
  -- Limited: only followers come across what it posts, others find it by its address. Why, for operators.
  "limited_at"         timestamptz(3),
  "limit_reason"       varchar(200),
  -- The operator who suspended or limited it on a page; null for the command.
  "suspended_by"       bigint,
  "limited_by"         bigint,
  -- The kind of the block that matched the registration, for operators; null without one.
  "mark"               varchar(16),
  -- Whose invitation the person registered with, for operators; null without one, or with one of the service.
  "invited_by"         bigint,
  -- The developer whose test person it is; null for people.
  "test_owner_id"      bigint,
  -- Gone for everyone else, in every list, page and event: while it is deleted or suspended, and as a test person, but see the
  -- view sandbox.account.
  "hidden_at"          timestamptz(3) GENERATED ALWAYS AS (COALESCE("deleted_at", "suspended_at", CASE WHEN "test_owner_id" IS NOT NULL THEN "created_at" END)) STORED,
  -- Since when a job has to look for rows to archive or to restore: the account was hidden then, or the opposite.
  "moving_since"       timestamptz(3),
  "email_verified_at"  timestamptz(3),
  -- The key of the display name of a verified account, by toNameKey(); null for other accounts.
  "display_name_key"   text,
  -- The claim `updated_at` (OpenID Connect Core §5.1). NULL: not changed since the account was created.
  "profile_updated_at" timestamptz(3),
  -- Operators are accounts that may use /admin. Only the command gives the role.
  "operator_since"     timestamptz(3),
  -- Raised with each block by or of the account. 0: it never was part of one, so that no index is read to find one.
  "block_epoch"        integer        NOT NULL DEFAULT 0,
  "quoters"            "post_quoters" NOT NULL DEFAULT 'everyone',

  CONSTRAINT "account_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "account_test_owner_id_fkey" FOREIGN KEY ("test_owner_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "account_id_check" CHECK ("id" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "account_username_check" CHECK ("username" ~ '^[A-Za-z0-9_]{5,32}$'),
  CONSTRAINT "account_username_ci_check" CHECK ("username_ci" = lower("username")),
  CONSTRAINT "account_email_ci_check" CHECK ("email_ci" = lower("email")),
  CONSTRAINT "account_names_check" CHECK ("first_name" <> '' AND "last_name" <> '' AND "display_name" <> ''),
  CONSTRAINT "account_counts_check" CHECK ("followers_count" >= 0 AND "following_count" >= 0 AND "posts_count" >= 0),
  CONSTRAINT "account_erased_at_check" CHECK ("erased_at" IS NULL OR "deleted_at" IS NOT NULL),
  CONSTRAINT "account_limit_check" CHECK (("limit_reason" IS NULL AND "limited_by" IS NULL) OR "limited_at" IS NOT NULL),
  CONSTRAINT "account_appeal_check" CHECK (("appeal" IS NULL) = ("appealed_at" IS NULL)),
  CONSTRAINT "account_display_name_key_check" CHECK ("display_name_key" IS NULL OR "verified")
);

-- For operators: how many people an account has invited.
CREATE INDEX "account_invited_by_idx" ON "account" ("invited_by") WHERE "invited_by" IS NOT NULL;
-- The test people of a developer.
CREATE INDEX "account_test_owner_id_idx" ON "account" ("test_owner_id") WHERE "test_owner_id" IS NOT NULL;
-- Usernames are unique whatever their case; also the look-ups of sign-in and mentions.
CREATE UNIQUE INDEX "account_username_ci_key" ON "account" ("username_ci");
-- Addresses are unique whatever their case; also the look-up of sign-in.
CREATE UNIQUE INDEX "account_email_ci_key" ON "account" ("email_ci");
-- The account whose photo is deleted; the sweep leaves photos alone.
CREATE INDEX "account_avatar_idx" ON "account" ("avatar") WHERE "avatar" IS NOT NULL;
-- The jobs that work off deletions.
CREATE INDEX "account_deleted_at_idx" ON "account" ("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
-- The job that archives what hidden accounts did, and restores it.
CREATE INDEX "account_moving_since_idx" ON "account" ("moving_since") WHERE "moving_since" IS NOT NULL;
-- Every list: is an account that a row names hidden, limited or protected? Small, so that passing rows over costs little.
CREATE INDEX "account_hidden_idx" ON "account" ("id") WHERE "protected" OR "limited_at" IS NOT NULL OR "hidden_at" IS NOT NULL;
-- Lists of accounts and of comments: is an account that a row names hidden or limited? Those that are protected count for nothing here.
CREATE INDEX "account_gone_idx" ON "account" ("id") WHERE "hidden_at" IS NOT NULL OR "limited_at" IS NOT NULL;
-- For every new username: does it look like the one of a verified account?
CREATE INDEX "account_verified_username_key_idx" ON "account" ("username_key"("username_ci")) WHERE "verified";
-- For every new display name: does it look like the one of a verified account?
CREATE INDEX "account_display_name_key_idx" ON "account" ("display_name_key") WHERE "display_name_key" IS NOT NULL;

-- A name its owner gave up: reserved, and redirected, until its time has passed.
CREATE TABLE "old_username" (
  "username_ci" varchar(32)    NOT NULL,
  "account_id"  bigint         NOT NULL,
  "until"       timestamptz(3) NOT NULL,

  CONSTRAINT "old_username_pkey" PRIMARY KEY ("username_ci"),
  CONSTRAINT "old_username_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "old_username_username_ci_check" CHECK ("username_ci" ~ '^[a-z0-9_]{5,32}$')
);

-- The former names of an account that is deleted.
CREATE INDEX "old_username_account_id_idx" ON "old_username" ("account_id");

-- Registrations that wait for an operator. Each becomes an account with the same id, or is deleted; until then nobody sees it.
CREATE TABLE "registration_request" (
  "id"            bigint         NOT NULL DEFAULT next_account_id(),
  "username"      varchar(32)    NOT NULL,
  "username_ci"   varchar(32)    NOT NULL,
  "email"         varchar(254)   NOT NULL,
  "email_ci"      varchar(254)   NOT NULL,
  "password_hash" text           NOT NULL,
  "first_name"    varchar(25)    NOT NULL,
  "last_name"     varchar(30)    NOT NULL,
  "display_name"  varchar(56)    NOT NULL,
  "language"      varchar(35)    NOT NULL DEFAULT 'en',
  -- Why the person wants an account.
  "reason"        varchar(500)   NOT NULL DEFAULT '',
  -- The application that sent it; null for the registration page. It may be deleted since.
  "client_id"     varchar(256),
  -- As "account"."mark" and "account"."invited_by".
  "mark"          varchar(16),
  "invited_by"    bigint,
  "created_at"    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "registration_request_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "registration_request_username_ci_check" CHECK ("username_ci" = lower("username")),
  CONSTRAINT "registration_request_email_ci_check" CHECK ("email_ci" = lower("email"))
);

-- A username is taken by a request, too; also the look-up of new usernames.
CREATE UNIQUE INDEX "registration_request_username_ci_key" ON "registration_request" ("username_ci");
-- So is an e-mail address.
CREATE UNIQUE INDEX "registration_request_email_ci_key" ON "registration_request" ("email_ci");
-- The queue, oldest first, and the sweep of requests that nobody decided.
CREATE INDEX "registration_request_created_at_idx" ON "registration_request" ("created_at", "id");

-- With the link of an invitation, people register without the decision of an operator. The link has a code.
CREATE TABLE "invitation" (
  "id"          bigint         NOT NULL DEFAULT next_id(),
  -- The person who made it; null: it is of the service, made by an operator.
  "account_id"  bigint,
  "code_sha256" bytea          NOT NULL,
  "note"        varchar(200)   NOT NULL,
  "uses"        integer        NOT NULL DEFAULT 0,
  "max_uses"    integer        NOT NULL,
  "created_at"  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at"  timestamptz(3) NOT NULL,

  CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invitation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "invitation_uses_check" CHECK ("uses" BETWEEN 0 AND "max_uses")
);

-- The look-up of a code.
CREATE UNIQUE INDEX "invitation_code_sha256_key" ON "invitation" ("code_sha256");
-- The invitations of a person, newest first.
CREATE INDEX "invitation_account_id_idx" ON "invitation" ("account_id", "id");
-- The job that deletes those that ended long ago.
CREATE INDEX "invitation_expires_at_idx" ON "invitation" ("expires_at");

CREATE FUNCTION "end_invitations"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM invitation WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;

-- What ends all other access to an account ends its invitations, too, and so does its deletion. Those of a suspended account work
-- again once it is restored.
CREATE TRIGGER "account_end_invitations" AFTER UPDATE OF "epoch", "deleted_at" ON "account" FOR EACH ROW
  WHEN ((NEW."epoch" > OLD."epoch" AND (NEW."suspended_at" IS NULL OR NEW."password_hash" <> OLD."password_hash"))
    OR (NEW."deleted_at" IS NOT NULL AND OLD."deleted_at" IS NULL))
  EXECUTE FUNCTION "end_invitations"();

-- Which registrations are refused, wait for an operator, or get a mark: by the domain of the e-mail address or of its mail server, the
-- network, or a word in the names.
CREATE TABLE "registration_block" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "kind"       varchar(16)    NOT NULL,
  -- A domain with its sub-domains, a network such as 192.0.2.0/24, or a word; in lower case.
  "value"      varchar(253)   NOT NULL,
  "act"        varchar(8)     NOT NULL,
  "note"       varchar(200)   NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: it has no end.
  "expires_at" timestamptz(3),

  CONSTRAINT "registration_block_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "registration_block_kind_check" CHECK ("kind" IN ('mail_domain', 'mail_server', 'network', 'word')),
  CONSTRAINT "registration_block_act_check" CHECK ("act" IN ('refuse', 'approve', 'mark')),
  CONSTRAINT "registration_block_value_check" CHECK ("value" = lower("value") AND "value" <> '')
);

-- One block for what it is about; also the look-up of the domains of a new address.
CREATE UNIQUE INDEX "registration_block_kind_value_key" ON "registration_block" ("kind", "value");

CREATE FUNCTION "lock_username"("name" text) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$ SELECT pg_advisory_xact_lock(hashtextextended('username ' || name, 0)) $$;

-- Nobody gets a name that another account gave up less than 30 days ago, one that a registration waits for, or one that looks like a
-- verified one. A new account is left out, as ON CONFLICT DO NOTHING leaves out one whose name is taken; a change is rejected as by the unique index. Verifying an account
-- takes the same lock, so each of two concurrent changes sees the other.
CREATE FUNCTION "keep_usernames"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      PERFORM lock_username(NEW.username_ci);
      PERFORM lock_username('looks like ' || username_key(NEW.username_ci));
      IF NOT EXISTS (
        SELECT 1 FROM old_username
        WHERE username_ci = NEW.username_ci AND account_id <> NEW.id AND until > clock_timestamp()
      ) AND NOT EXISTS (
        SELECT 1 FROM registration_request WHERE username_ci = NEW.username_ci AND id <> NEW.id
      ) AND NOT imitates_username(NEW.username_ci, NEW.id) THEN
        RETURN NEW;
      END IF;
      IF TG_OP = 'INSERT' THEN
        RETURN NULL;
      END IF;
      RAISE EXCEPTION 'the username % is reserved', NEW.username_ci
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'account_username_ci_key';
    END
  $$;

CREATE TRIGGER "account_keep_usernames" BEFORE INSERT OR UPDATE OF "username_ci" ON "account"
  FOR EACH ROW EXECUTE FUNCTION "keep_usernames"();

-- Like an account, a request has no name that is taken. An address can be confirmed by another account at the same moment; then
-- the request cannot be approved.
CREATE FUNCTION "keep_requested_names"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      PERFORM lock_username(NEW.username_ci);
      PERFORM lock_username('looks like ' || username_key(NEW.username_ci));
      IF EXISTS (SELECT 1 FROM account WHERE username_ci = NEW.username_ci OR email_ci = NEW.email_ci)
        OR EXISTS (SELECT 1 FROM old_username WHERE username_ci = NEW.username_ci AND until > clock_timestamp())
        OR imitates_username(NEW.username_ci, NULL) THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "registration_request_keep_names" BEFORE INSERT ON "registration_request"
  FOR EACH ROW EXECUTE FUNCTION "keep_requested_names"();

-- Operators vouch for the addresses of the accounts that they make, but not for those of people whose registration they approve.
CREATE FUNCTION "vouch_for_email"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM registration_request WHERE id = NEW.id) THEN
        NEW.email_verified_at := clock_timestamp();
      END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_email_vouched" BEFORE INSERT ON "account" FOR EACH ROW
  WHEN (linnet_actor() = 'operator')
  EXECUTE FUNCTION "vouch_for_email"();

-- An account keeps a limited number of old names: otherwise one could keep any number of names from everybody else. `retry_at`: when
-- the first of them is free again; then nothing was changed.
CREATE FUNCTION "rename_account"("account_id" bigint, "wanted" text, "reserved_until" timestamptz, "max_old_names" int)
  RETURNS TABLE ("is_taken" boolean, "username" text, "retry_at" timestamptz)
  LANGUAGE plpgsql VOLATILE
  AS $$
    #variable_conflict use_column
    DECLARE
      wanted_ci CONSTANT text := lower(wanted);
      before account%ROWTYPE;
      kept int;
      first_free timestamptz;
    BEGIN
      SELECT * INTO before FROM account a WHERE a.id = rename_account.account_id AND a.deleted_at IS NULL FOR UPDATE;
      IF NOT FOUND THEN
        RETURN;
      END IF;
      -- In one order, or two accounts that swap their names would wait for each other.
      PERFORM lock_username(name) FROM (VALUES (before.username_ci), (wanted_ci)) AS names (name) ORDER BY name;
      PERFORM lock_username('looks like ' || username_key(wanted_ci));
      IF EXISTS (SELECT 1 FROM account a WHERE a.username_ci = wanted_ci AND a.id <> before.id) OR EXISTS (
        SELECT 1 FROM old_username o
        WHERE o.username_ci = wanted_ci AND o.account_id <> before.id AND o.until > clock_timestamp()
      ) OR EXISTS (SELECT 1 FROM registration_request r WHERE r.username_ci = wanted_ci) OR imitates_username(wanted_ci, before.id) THEN
        RETURN QUERY SELECT true, before.username::text, NULL::timestamptz;
        RETURN;
      END IF;
      IF before.username_ci <> wanted_ci THEN
        -- A name that comes back makes room for the one that goes.
        SELECT count(*), min(o.until) INTO kept, first_free FROM old_username o
        WHERE o.account_id = before.id AND o.username_ci <> wanted_ci AND o.until > clock_timestamp();
        IF kept >= max_old_names THEN
          RETURN QUERY SELECT false, before.username::text, first_free;
          RETURN;
        END IF;
      END IF;
      UPDATE account a SET username = wanted, username_ci = wanted_ci WHERE a.id = before.id;
      DELETE FROM old_username o WHERE o.username_ci = wanted_ci;
      IF before.username_ci <> wanted_ci THEN
        INSERT INTO old_username (username_ci, account_id, until) VALUES (before.username_ci, before.id, reserved_until)
        ON CONFLICT (username_ci) DO UPDATE SET account_id = EXCLUDED.account_id, until = EXCLUDED.until;
      END IF;
      RETURN QUERY SELECT false, wanted, NULL::timestamptz;
    END
  $$;

CREATE FUNCTION "imitates_username"("name" text, "of_account" bigint) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$
    SELECT EXISTS (
      SELECT 1 FROM account
      WHERE verified AND username_key(username_ci) = username_key(name) AND id IS DISTINCT FROM of_account
    )
  $$;

CREATE FUNCTION "lock_verified_username"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      PERFORM lock_username('looks like ' || username_key(NEW.username_ci));
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_lock_verified_username" BEFORE UPDATE OF "verified" ON "account" FOR EACH ROW
  WHEN (NEW."verified" AND NOT OLD."verified")
  EXECUTE FUNCTION "lock_verified_username"();

-- An operator verified the account under its names. Under others it has to be verified again.
CREATE FUNCTION "end_verification_of_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF (NEW.username, NEW.display_name, NEW.first_name, NEW.last_name)
        IS DISTINCT FROM (OLD.username, OLD.display_name, OLD.first_name, OLD.last_name) THEN
        NEW.verified := false;
        NEW.display_name_key := NULL;
      END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_end_verification" BEFORE UPDATE OF "username", "display_name", "first_name", "last_name" ON "account" FOR EACH ROW
  WHEN (OLD."verified")
  EXECUTE FUNCTION "end_verification_of_account"();

CREATE FUNCTION "note_profile_update"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.profile_updated_at := clock_timestamp();
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_profile_update"
  BEFORE UPDATE OF "username", "display_name", "first_name", "last_name", "language", "avatar" ON "account" FOR EACH ROW
  WHEN ((OLD."username", OLD."display_name", OLD."first_name", OLD."last_name", OLD."language", OLD."avatar")
    IS DISTINCT FROM (NEW."username", NEW."display_name", NEW."first_name", NEW."last_name", NEW."language", NEW."avatar"))
  EXECUTE FUNCTION "note_profile_update"();

CREATE FUNCTION "move_rows_of_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.moving_since := clock_timestamp();
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_move_rows" BEFORE UPDATE OF "deleted_at", "suspended_at" ON "account" FOR EACH ROW
  WHEN ((COALESCE(OLD."deleted_at", OLD."suspended_at") IS NULL) <> (COALESCE(NEW."deleted_at", NEW."suspended_at") IS NULL))
  EXECUTE FUNCTION "move_rows_of_account"();

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
  -- As "account"."hidden_at".
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
        hidden = NEW.hidden_at IS NOT NULL
      WHERE account_id = NEW.id;
    END IF;
    RETURN NULL;
  END
$$;

-- x # y > x & y: the two numbers have different numbers of binary digits.
CREATE TRIGGER "account_note_search" AFTER UPDATE OF "username_ci", "followers_count", "hidden_at", "erased_at" ON "account"
  FOR EACH ROW WHEN (OLD."username_ci" <> NEW."username_ci"
    OR (OLD."followers_count" # NEW."followers_count") > (OLD."followers_count" & NEW."followers_count")
    OR (OLD."hidden_at" IS NULL) <> (NEW."hidden_at" IS NULL)
    OR (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL))
  EXECUTE FUNCTION "note_account_search"();

-- What the applications of a developer see: the same tables, but of the developer's test people only those that are deleted or suspended are
-- hidden. packages/db finds this view instead of the table with search_path, for their calls only, and names the developer in
-- `linnet.sandbox`. A migration that changes the columns of "account" creates it again.
CREATE SCHEMA "sandbox";
CREATE VIEW "sandbox"."account" AS
  SELECT "id", "username", "username_ci", "email", "email_ci", "password_hash", "first_name", "last_name", "display_name",
    "description", "country", "language", "verified", "followers_count", "following_count", "posts_count", "created_at", "epoch",
    "protected", "deleted_at", "avatar", "erased_at", "suspended_at", "suspension_reason", "appeal", "appealed_at", "limited_at",
    "limit_reason", "suspended_by", "limited_by", "mark", "invited_by", "test_owner_id",
    CASE WHEN "test_owner_id" = NULLIF(current_setting('linnet.sandbox', true), '')::bigint THEN COALESCE("deleted_at", "suspended_at") ELSE "hidden_at" END AS "hidden_at",
    "moving_since", "email_verified_at", "display_name_key", "profile_updated_at", "operator_since", "block_epoch", "quoters", "ctid"
  FROM "account";

CREATE FUNCTION "end_test_people"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE account SET deleted_at = NEW.deleted_at, epoch = epoch + 1 WHERE test_owner_id = NEW.id AND deleted_at IS NULL;
    RETURN NULL;
  END
$$;

CREATE TRIGGER "account_end_test_people" AFTER UPDATE OF "deleted_at" ON "account" FOR EACH ROW
  WHEN (NEW."deleted_at" IS NOT NULL AND OLD."deleted_at" IS NULL)
  EXECUTE FUNCTION "end_test_people"();
