-- Keys rotate: next, current, retired; any but the last may be revoked. Every process hears of each step by
-- the feed that tells of revocations.

-- When the key came into its state: as next published, as current signing, as retired no longer.
ALTER TABLE "signing_key" ADD COLUMN "state_since" timestamptz(3);
UPDATE "signing_key" SET "state_since" = "created_at";
ALTER TABLE "signing_key"
  ALTER COLUMN "state_since" SET NOT NULL,
  ALTER COLUMN "state_since" SET DEFAULT CURRENT_TIMESTAMP;

-- A next key that is not published long enough yet waits beside the one that comes after it.
DROP INDEX "signing_key_next_key";

-- A key that is there, in whatever living state, is told with the epoch 0: no token is below it.
ALTER TABLE "revocation" DROP CONSTRAINT "revocation_epoch_check";
ALTER TABLE "revocation" ADD CONSTRAINT "revocation_epoch_check"
  CHECK ("epoch" IS NULL OR "kind" IN ('account', 'client', 'grant') OR ("kind" = 'key' AND "epoch" = 0));

CREATE OR REPLACE FUNCTION "revoke_tokens_of_key"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM revoke_tokens('key', NEW.kid, CASE WHEN NEW.state <> 'revoked' THEN 0 END);
      RETURN NULL;
    END
  $$;
DROP TRIGGER "signing_key_revocation" ON "signing_key";
CREATE TRIGGER "signing_key_revocation" AFTER UPDATE OF "state" ON "signing_key" FOR EACH ROW
  WHEN (NEW."state" <> OLD."state")
  EXECUTE FUNCTION "revoke_tokens_of_key"();
CREATE TRIGGER "signing_key_made" AFTER INSERT ON "signing_key" FOR EACH ROW
  EXECUTE FUNCTION "revoke_tokens_of_key"();
