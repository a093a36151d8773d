-- The claim `updated_at` (OpenID Connect Core §5.1). NULL: not changed since the account was created.
ALTER TABLE "account" ADD COLUMN "profile_updated_at" timestamptz(3);

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
