-- Names that look like the name of a verified account are not available, and the mark ends with the name it stands for.

-- What usernames are compared by: the skeleton of UTS 39 for their characters, without underscores. An i counts as an
-- l, because a capital I looks like one. The same as toNameKey() in packages/accounts for such names.
CREATE FUNCTION "username_key"("name" text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT replace(translate(replace(lower(name), '_', ''), '01i', 'oll'), 'm', 'rn') $$;

-- For every new username: does it look like the one of a verified account?
CREATE INDEX "account_verified_username_key_idx" ON "account" ("username_key"("username_ci")) WHERE "verified";

ALTER TABLE "account"
  -- The key of the display name of a verified account, by toNameKey(); null for other accounts.
  ADD COLUMN "display_name_key" text,
  ADD CONSTRAINT "account_display_name_key_check" CHECK ("display_name_key" IS NULL OR "verified");

-- For every new display name: does it look like the one of a verified account?
CREATE INDEX "account_display_name_key_idx" ON "account" ("display_name_key") WHERE "display_name_key" IS NOT NULL;

-- Keys of the accounts that are verified now: exact for letters and digits of ASCII. The service computes the others.
UPDATE "account"
  SET "display_name_key" = replace(translate(regexp_replace(lower("display_name"), '[^a-z0-9]', '', 'g'), '01i', 'oll'), 'm', 'rn')
  WHERE "verified" AND "display_name" !~ '[^ -~]' AND "display_name" ~ '[A-Za-z0-9]';

CREATE FUNCTION "imitates_username"("name" text, "of_account" bigint) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$
    SELECT EXISTS (
      SELECT 1 FROM account
      WHERE verified AND username_key(username_ci) = username_key(name) AND id IS DISTINCT FROM of_account
    )
  $$;

-- As before, and names that look like a verified one count as taken. Verifying an account takes the same lock, so each
-- of two concurrent changes sees the other.
CREATE OR REPLACE FUNCTION "keep_usernames"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      PERFORM lock_username(NEW.username_ci);
      PERFORM lock_username('looks like ' || username_key(NEW.username_ci));
      IF NOT EXISTS (
        SELECT 1 FROM old_username
        WHERE username_ci = NEW.username_ci AND account_id <> NEW.id AND until > clock_timestamp()
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

-- A change of another name can end the verification, so it is looked at, too.
DROP TRIGGER "account_audit" ON "account";
CREATE TRIGGER "account_audit" AFTER UPDATE OF "username", "display_name", "first_name", "last_name", "password_hash", "epoch", "protected", "verified", "suspended_at", "deleted_at", "erased_at"
  ON "account" FOR EACH ROW
  EXECUTE FUNCTION "audit_account"();

-- As before, except for names that look like a verified one.
CREATE OR REPLACE FUNCTION "rename_account"("account_id" bigint, "wanted" text, "reserved_until" timestamptz, "max_old_names" int)
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
      ) OR imitates_username(wanted_ci, before.id) THEN
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
