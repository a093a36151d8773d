-- The applications of a suspended or deleted account stop with it. A higher epoch revokes their tokens for good, and it
-- reaches the revocation feed, so every process reloads the applications, when the account is restored, too.
CREATE FUNCTION "stop_applications_of_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE application SET epoch = epoch + 1 WHERE owner_id = NEW.id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_stops_applications" AFTER UPDATE OF "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN ((OLD."suspended_at" IS NULL, OLD."deleted_at" IS NULL) IS DISTINCT FROM (NEW."suspended_at" IS NULL, NEW."deleted_at" IS NULL))
  EXECUTE FUNCTION "stop_applications_of_account"();
