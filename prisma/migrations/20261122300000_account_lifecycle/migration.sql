-- Usernames pass from hand to hand in two tables: `account` (present names) and `old_username` (reserved ones).
-- Whoever takes a name or gives it up holds its lock to the end of the transaction, so that nobody
-- sees it in neither of them.

CREATE FUNCTION "lock_username"("name" text) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$ SELECT pg_advisory_xact_lock(hashtextextended('username ' || name, 0)) $$;

-- Nobody gets a name that another account gave up less than 30 days ago: a new account is left out, as ON
-- CONFLICT DO NOTHING leaves out one whose name is taken; a change is refused as by the unique index.
-- Each statement of the function sees what was committed before it began.
CREATE FUNCTION "keep_usernames"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      PERFORM lock_username(NEW.username_ci);
      IF NOT EXISTS (
        SELECT 1 FROM old_username
        WHERE username_ci = NEW.username_ci AND account_id <> NEW.id AND until > clock_timestamp()
      ) THEN
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

-- Gives an account another name: POST /account/update_username. No row: there is no such account.
-- A name that is taken changes nothing and raises nothing: the transaction may have more to do.
CREATE FUNCTION "rename_account"("account_id" bigint, "wanted" text, "reserved_until" timestamptz)
  RETURNS TABLE ("is_taken" boolean, "username" text)
  LANGUAGE plpgsql VOLATILE
  AS $$
    #variable_conflict use_column
    DECLARE
      wanted_ci CONSTANT text := lower(wanted);
      before account%ROWTYPE;
    BEGIN
      SELECT * INTO before FROM account a WHERE a.id = rename_account.account_id AND a.deleted_at IS NULL FOR UPDATE;
      IF NOT FOUND THEN
        RETURN;
      END IF;
      -- In one order, or two accounts that swap their names would wait for each other.
      PERFORM lock_username(name) FROM (VALUES (before.username_ci), (wanted_ci)) AS names (name) ORDER BY name;
      IF EXISTS (SELECT 1 FROM account a WHERE a.username_ci = wanted_ci AND a.id <> before.id) OR EXISTS (
        SELECT 1 FROM old_username o
        WHERE o.username_ci = wanted_ci AND o.account_id <> before.id AND o.until > clock_timestamp()
      ) THEN
        RETURN QUERY SELECT true, before.username::text;
        RETURN;
      END IF;
      UPDATE account a SET username = wanted, username_ci = wanted_ci WHERE a.id = before.id;
      DELETE FROM old_username o WHERE o.username_ci = wanted_ci;
      IF before.username_ci <> wanted_ci THEN
        INSERT INTO old_username (username_ci, account_id, until) VALUES (before.username_ci, before.id, reserved_until)
        ON CONFLICT (username_ci) DO UPDATE SET account_id = EXCLUDED.account_id, until = EXCLUDED.until;
      END IF;
      RETURN QUERY SELECT false, wanted;
    END
  $$;

-- What a deleted account liked, followed, commented and reposted, until it is restored or its 14 days are over.
-- Here it counts no more; `record` is the row as it was.
CREATE TABLE "set_aside" (
  "account_id" bigint      NOT NULL,
  "kind"       varchar(16) NOT NULL,
  "id"         bigint      NOT NULL,
  "record"     jsonb       NOT NULL,

  CONSTRAINT "set_aside_pkey" PRIMARY KEY ("account_id", "kind", "id"),
  CONSTRAINT "set_aside_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "set_aside_kind_check" CHECK ("kind" IN ('like', 'repost', 'comment', 'follow'))
);

ALTER TABLE "account"
  -- The 14 days are over: only the id is left, for what still names it.
  ADD COLUMN "erased_at" timestamptz(3),
  ADD CONSTRAINT "account_erased_at_check" CHECK ("erased_at" IS NULL OR "deleted_at" IS NOT NULL);

-- The jobs that work off deletions look at those that are not erased yet.
DROP INDEX "account_deleted_at_idx";
CREATE INDEX "account_deleted_at_idx" ON "account" ("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
