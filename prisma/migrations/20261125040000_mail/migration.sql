-- Outgoing mail. Rows tell that something is to be said, in the transaction in which it happened; a job of
-- `apps/auth` makes the messages, with their links, and sends them. So no link stands here in clear, and no
-- request waits for a mail server.

ALTER TABLE "account" ADD COLUMN "email_verified_at" timestamptz(3);

CREATE TYPE "mail_kind" AS ENUM (
  'verify_email', 'reset_password', 'change_email', 'email_change_asked',
  'email_changed', 'password_changed', 'new_sign_in', 'new_application'
);

CREATE TABLE "mail" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "kind"       "mail_kind"    NOT NULL,
  -- Without one, whose address it is has still to be found: an answer must not take longer for those who have an account.
  "account_id" bigint,
  "recipient"  varchar(254)   NOT NULL,
  -- What the message tells of: ids, never a secret.
  "detail"     jsonb          NOT NULL DEFAULT '{}',
  "attempts"   integer        NOT NULL DEFAULT 0,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "due_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "mail_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "mail_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mail_account_id_check" CHECK ("account_id" IS NOT NULL OR "kind" = 'reset_password'),
  CONSTRAINT "mail_detail_check" CHECK (jsonb_typeof("detail") = 'object'),
  CONSTRAINT "mail_attempts_check" CHECK ("attempts" >= 0)
);
-- What is to be sent next.
CREATE INDEX "mail_due_at_idx" ON "mail" ("due_at");
-- Deleting an account with what is to be told to it; its own mail.
CREATE INDEX "mail_account_id_idx" ON "mail" ("account_id");

CREATE TYPE "mail_link_purpose" AS ENUM ('verify_email', 'change_email', 'reset_password');

-- Links that were sent, by the SHA-256 of their token.
CREATE TABLE "mail_link" (
  "token_sha256" bytea               NOT NULL,
  "purpose"      "mail_link_purpose" NOT NULL,
  "account_id"   bigint              NOT NULL,
  -- The address it was sent to: who follows it reads mail there.
  "email"        varchar(254)        NOT NULL,
  "expires_at"   timestamptz(3)      NOT NULL,
  "used_at"      timestamptz(3),

  CONSTRAINT "mail_link_pkey" PRIMARY KEY ("token_sha256"),
  CONSTRAINT "mail_link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mail_link_token_sha256_check" CHECK (octet_length("token_sha256") = 32)
);
-- The open links of an account.
CREATE INDEX "mail_link_account_id_idx" ON "mail_link" ("account_id");
-- The sweep of what has expired.
CREATE INDEX "mail_link_expires_at_idx" ON "mail_link" ("expires_at");

-- Browsers and networks that an account was used from: no notice of a sign-in there.
CREATE TABLE "known_device" (
  "account_id"  bigint         NOT NULL,
  -- Of the browser's name, its system and its network.
  "device_sha256" bytea        NOT NULL,
  -- The mail that was to tell of it when it was seen first.
  "mail_id"     bigint         NOT NULL,
  "seen_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "known_device_pkey" PRIMARY KEY ("account_id", "device_sha256"),
  CONSTRAINT "known_device_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "known_device_device_sha256_check" CHECK (octet_length("device_sha256") = 32)
);
-- The sweep of devices that were not seen for long.
CREATE INDEX "known_device_seen_at_idx" ON "known_device" ("seen_at");

-- Operators vouch for the addresses of the accounts that they make.
CREATE FUNCTION "vouch_for_email"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.email_verified_at := clock_timestamp();
      RETURN NEW;
    END
  $$;
CREATE TRIGGER "account_email_vouched" BEFORE INSERT ON "account" FOR EACH ROW
  WHEN (current_setting('linnet.actor', true) = 'operator')
  EXECUTE FUNCTION "vouch_for_email"();

CREATE FUNCTION "mail_account"() RETURNS trigger
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
        DELETE FROM mail_link WHERE account_id = NEW.id;
        RETURN NULL;
      END IF;
      -- Whoever could ask for links before may not be who can now. With the epoch as it was, the same password was hashed anew.
      IF NEW.email_ci <> OLD.email_ci OR (NEW.epoch > OLD.epoch AND NEW.password_hash <> OLD.password_hash) THEN
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
CREATE TRIGGER "account_mail_insert" AFTER INSERT ON "account" FOR EACH ROW
  EXECUTE FUNCTION "mail_account"();
CREATE TRIGGER "account_mail" AFTER UPDATE OF "email", "password_hash", "deleted_at", "erased_at" ON "account" FOR EACH ROW
  EXECUTE FUNCTION "mail_account"();

-- Whether the browser is known is found when the mail is made.
CREATE FUNCTION "mail_sign_in"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'new_sign_in', a.id, a.email, jsonb_build_object('session', NEW.uid)
        FROM account a WHERE a.id = NEW.account_id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "session_mail_insert" AFTER INSERT ON "session" FOR EACH ROW
  WHEN (NEW."account_id" IS NOT NULL)
  EXECUTE FUNCTION "mail_sign_in"();
CREATE TRIGGER "session_mail" AFTER UPDATE OF "account_id" ON "session" FOR EACH ROW
  WHEN (NEW."account_id" IS NOT NULL AND OLD."account_id" IS DISTINCT FROM NEW."account_id")
  EXECUTE FUNCTION "mail_sign_in"();

-- Public applications ask each time: only the first consent connects one.
CREATE FUNCTION "mail_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'new_application', a.id, a.email, jsonb_build_object('grant', NEW.id)
        FROM account a
       WHERE a.id = NEW.account_id
         AND NOT EXISTS (SELECT 1 FROM "grant" g
                          WHERE g.account_id = NEW.account_id AND g.client_id = NEW.client_id AND g.id <> NEW.id AND g.kind = 'consent');
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "grant_mail" AFTER INSERT ON "grant" FOR EACH ROW
  WHEN (NEW."kind" = 'consent')
  EXECUTE FUNCTION "mail_application"();
