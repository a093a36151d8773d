-- When an account is erased, nothing is left but its id: also no devices, sessions, photos and playground runs. The job erases grants
-- and applications before, in batches.
CREATE FUNCTION "erase_traces_of_account"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      DELETE FROM known_device WHERE account_id = NEW.id;
      DELETE FROM session WHERE account_id = NEW.id;
      DELETE FROM playground_run WHERE account_id = NEW.id;
      -- Photos, and what was not attached to a post.
      DELETE FROM media WHERE owner_id = NEW.id;
      DELETE FROM backchannel_logout WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_erase_traces" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL)
  EXECUTE FUNCTION "erase_traces_of_account"();
