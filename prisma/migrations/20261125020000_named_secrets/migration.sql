-- Secrets of applications have names, and tell how often and when they were used.

ALTER TABLE "application_secret"
  -- Without one it is shown by its day, in the reader's language.
  ADD COLUMN "name"         varchar(60),
  -- Written in batches, each second.
  ADD COLUMN "last_used_at" timestamptz(3),
  ADD COLUMN "uses"         bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT "application_secret_name_check" CHECK (btrim("name") <> ''),
  ADD CONSTRAINT "application_secret_uses_check" CHECK ("uses" >= 0 AND ("uses" = 0) = ("last_used_at" IS NULL));

-- The sweep of those that ended a while ago.
CREATE INDEX "application_secret_expires_at_idx" ON "application_secret" ("expires_at");

-- Why a request was refused: the secret was right, and its time is over.
ALTER TYPE "request_failure_kind" ADD VALUE 'secret_ended' AFTER 'credentials';

-- A secret that ended by itself and is swept out was not retired by anybody.
CREATE OR REPLACE FUNCTION "audit_application_secret"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_secret "application_secret";
      of_owner  bigint;
      is_over   boolean;
    BEGIN
      IF TG_OP = 'INSERT' THEN of_secret := NEW; ELSE of_secret := OLD; END IF;
      SELECT owner_id INTO of_owner FROM application WHERE client_id = of_secret.client_id;
      -- Secrets that go with their application are told of by its own event.
      IF FOUND THEN
        is_over := TG_OP = 'DELETE' AND COALESCE(OLD.expires_at <= now(), false);
        PERFORM audit(CASE WHEN TG_OP = 'INSERT' THEN 'secret.added' WHEN is_over THEN 'secret.removed' ELSE 'secret.retired' END,
          CASE WHEN is_over THEN 'service' ELSE 'person' END::audit_actor, of_owner, of_secret.client_id,
          jsonb_build_object('secret_id', of_secret.id::text));
      END IF;
      RETURN NULL;
    END
  $$;
