-- An account keeps ten old names at most: without an end to them one account could keep any number of names from
-- everybody else. `retry_at`: when the first of them is free again; nothing was changed then.
DROP FUNCTION "rename_account"(bigint, text, timestamptz);

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
      IF EXISTS (SELECT 1 FROM account a WHERE a.username_ci = wanted_ci AND a.id <> before.id) OR EXISTS (
        SELECT 1 FROM old_username o
        WHERE o.username_ci = wanted_ci AND o.account_id <> before.id AND o.until > clock_timestamp()
      ) THEN
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
