-- The address that an account is to have once its owner has opened the link there: one at a time, shown to the owner,
-- who can take it back. Links end with the change that they were sent for.

CREATE TABLE "email_change" (
  -- Another one for each address that is asked for: links of the former one do not confirm it.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  "email"      varchar(254)   NOT NULL,
  -- The last link is good until then, whether one could be sent or not.
  "expires_at" timestamptz(3) NOT NULL,

  CONSTRAINT "email_change_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "email_change_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);
-- The change of an account; there is one at most.
CREATE UNIQUE INDEX "email_change_account_id_key" ON "email_change" ("account_id");
-- The sweep of what has expired.
CREATE INDEX "email_change_expires_at_idx" ON "email_change" ("expires_at");

ALTER TABLE "mail_link"
  -- What the link confirms; of links to new addresses, null once that was done or taken back.
  ADD COLUMN "change_id" bigint,
  ADD CONSTRAINT "mail_link_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "email_change" ("id") ON DELETE SET NULL ON UPDATE SET NULL,
  ADD CONSTRAINT "mail_link_change_id_check" CHECK ("change_id" IS NULL OR "purpose" = 'change_email');
-- The links of a change, when it ends.
CREATE INDEX "mail_link_change_id_idx" ON "mail_link" ("change_id");

-- What was asked for before this: the last address counts.
INSERT INTO "email_change" ("account_id", "email", "expires_at")
SELECT DISTINCT ON ("account_id") "account_id", "email", "expires_at" FROM (
  SELECT "account_id", "email", "expires_at" FROM "mail_link" WHERE "purpose" = 'change_email' AND "used_at" IS NULL
  UNION ALL SELECT "account_id", "recipient", "created_at" + interval '24 hours' FROM "mail" WHERE "kind" = 'change_email'
) AS "asked" ORDER BY "account_id", "expires_at" DESC;
UPDATE "mail_link" SET "change_id" = c."id" FROM "email_change" c
 WHERE c."account_id" = "mail_link"."account_id" AND c."email" = "mail_link"."email"
   AND "mail_link"."purpose" = 'change_email' AND "mail_link"."used_at" IS NULL;
UPDATE "mail" SET "detail" = jsonb_build_object('change', c."id") FROM "email_change" c
 WHERE c."account_id" = "mail"."account_id" AND c."email" = "mail"."recipient" AND "mail"."kind" = 'change_email';

CREATE OR REPLACE FUNCTION "mail_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        IF NEW.email_verified_at IS NULL THEN
          INSERT INTO mail (kind, account_id, recipient) VALUES ('verify_email', NEW.id, NEW.email);
        END IF;
        RETURN NULL;
      END IF;
      IF NEW.deleted_at IS NOT NULL OR NEW.erased_at IS NOT NULL THEN
        DELETE FROM mail WHERE account_id = NEW.id;
        DELETE FROM email_change WHERE account_id = NEW.id;
        DELETE FROM mail_link WHERE account_id = NEW.id;
        RETURN NULL;
      END IF;
      -- Whoever could ask for links before may not be who can now. With the epoch as it was, the same password was hashed anew.
      IF NEW.email_ci <> OLD.email_ci OR (NEW.epoch > OLD.epoch AND NEW.password_hash <> OLD.password_hash) THEN
        DELETE FROM email_change WHERE account_id = NEW.id;
        DELETE FROM mail_link WHERE account_id = NEW.id AND used_at IS NULL AND purpose <> 'verify_email';
        DELETE FROM mail WHERE (account_id = NEW.id AND kind = 'change_email')
          OR (kind = 'reset_password' AND lower(recipient) = OLD.email_ci);
      END IF;
      IF NEW.email <> OLD.email THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES ('email_changed', NEW.id, OLD.email);
      END IF;
      IF NEW.epoch > OLD.epoch AND NEW.password_hash <> OLD.password_hash THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES ('password_changed', NEW.id, NEW.email);
      END IF;
      RETURN NULL;
    END
  $$;
