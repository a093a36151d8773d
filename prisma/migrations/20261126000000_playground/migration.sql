-- The playground of the developer area: an application runs against the service itself, as its owner tries it.

CREATE TABLE "playground_run" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  "client_id"  varchar(64)    NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ends_at"    timestamptz(3) NOT NULL,
  -- Each write counts it up: whoever read an older one takes no step, so none is taken twice.
  "version"    integer        NOT NULL DEFAULT 0,
  -- State, secret, tokens, requests and answers, sealed with SECRET_KEYS.
  "sealed_jwe" text           NOT NULL,

  CONSTRAINT "playground_run_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "playground_run_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "playground_run_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "playground_run_ends_at_check" CHECK ("ends_at" > "created_at"),
  CONSTRAINT "playground_run_version_check" CHECK ("version" >= 0),
  CONSTRAINT "playground_run_sealed_jwe_check" CHECK ("sealed_jwe" <> '')
);
-- One of an application and account; the look-up of an application asks whether there is one.
CREATE UNIQUE INDEX "playground_run_client_id_account_id_key" ON "playground_run" ("client_id", "account_id");
-- Those of an account, when a browser comes back.
CREATE INDEX "playground_run_account_id_idx" ON "playground_run" ("account_id");
-- The sweep of those that have ended.
CREATE INDEX "playground_run_ends_at_idx" ON "playground_run" ("ends_at");

-- While there is a run, its application may send people back to the playground: authorization servers remember
-- applications and are told. The lock waits for who is raising the epoch, which must not be told lower again.
CREATE FUNCTION "tell_of_playground"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      application record;
    BEGIN
      SELECT a.client_id, a.epoch, a.suspended_at INTO application FROM application a
       WHERE a.client_id = COALESCE(NEW.client_id, OLD.client_id) FOR SHARE;
      IF FOUND THEN
        PERFORM revoke_tokens('client', application.client_id,
          CASE WHEN application.suspended_at IS NULL THEN application.epoch END);
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "playground_run_told" AFTER INSERT OR DELETE OR UPDATE OF "ends_at" ON "playground_run" FOR EACH ROW
  EXECUTE FUNCTION "tell_of_playground"();
