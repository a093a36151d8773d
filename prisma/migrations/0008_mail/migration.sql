CREATE TYPE "mail_kind" AS ENUM (
  'verify_email', 'reset_password', 'change_email', 'email_change_asked', 'email_changed', 'password_changed',
  'new_sign_in', 'new_application', 'factor_changed', 'application_notice', 'sign_in_attempts', 'account_deleted',
  'account_restored', 'account_suspended', 'suspension_ended', 'webhook_off', 'registration_approved', 'registration_refused',
  'report_decided', 'content_deleted', 'proposals', 'import_ended'
);

CREATE TABLE "mail" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "kind"       "mail_kind"    NOT NULL,
  -- Null if whose address it is has still to be found (an answer must not take longer for those who have an account), or if there is
  -- no account.
  "account_id" bigint,
  "recipient"  varchar(254)   NOT NULL,
  -- What the message tells of: ids, never a secret.
  "detail"     jsonb          NOT NULL DEFAULT '{}',
  "attempts"   integer        NOT NULL DEFAULT 0,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "due_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "mail_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "mail_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mail_account_id_check" CHECK ("account_id" IS NOT NULL OR "kind" IN ('reset_password', 'registration_refused')),
  CONSTRAINT "mail_detail_check" CHECK (jsonb_typeof("detail") = 'object'),
  CONSTRAINT "mail_attempts_check" CHECK ("attempts" >= 0)
);

-- What is to be sent next.
CREATE INDEX "mail_due_at_idx" ON "mail" ("due_at");
-- Deleting an account with what is to be told to it; its own mail.
CREATE INDEX "mail_account_id_idx" ON "mail" ("account_id");
-- One message tells an account of proposals. It stays for an hour after it was sent, so that the next one waits.
CREATE UNIQUE INDEX "mail_proposals_key" ON "mail" ("account_id") WHERE "kind" = 'proposals';

-- Test people have an address of this domain, which nobody has (RFC 2606): nothing is sent to them.
CREATE FUNCTION "drop_mail"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

CREATE TRIGGER "mail_drop" BEFORE INSERT ON "mail" FOR EACH ROW WHEN (lower(NEW."recipient") LIKE '%@test.invalid')
  EXECUTE FUNCTION "drop_mail"();

CREATE TYPE "mail_link_purpose" AS ENUM ('verify_email', 'change_email', 'reset_password');

-- The address that an account is to have once its owner has opened the link there: one at a time, shown to the owner,
-- who can take it back. Links end with the change that they were sent for.
CREATE TABLE "email_change" (
  -- Another one for each address that is asked for: links of the former one do not confirm it.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  "email"      varchar(254)   NOT NULL,
  -- The last link is good until then, whether one could be sent or not.
  "expires_at" timestamptz(3) NOT NULL,
  -- When the last message to the address was given up.
  "refused_at" timestamptz(3),

  CONSTRAINT "email_change_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "email_change_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- The change of an account; there is one at most.
CREATE UNIQUE INDEX "email_change_account_id_key" ON "email_change" ("account_id");
-- The sweep of what has expired.
CREATE INDEX "email_change_expires_at_idx" ON "email_change" ("expires_at");

-- Links that were sent, by the SHA-256 of their token.
CREATE TABLE "mail_link" (
  "token_sha256" bytea               NOT NULL,
  "purpose"      "mail_link_purpose" NOT NULL,
  "account_id"   bigint              NOT NULL,
  -- The address it was sent to: who follows it reads mail there.
  "email"        varchar(254)        NOT NULL,
  "expires_at"   timestamptz(3)      NOT NULL,
  "used_at"      timestamptz(3),
  -- What the link confirms; of links to new addresses, null once that was done or taken back.
  "change_id"    bigint,
  -- When the message with the link was given up. Only of links that verify the address of an account.
  "refused_at"   timestamptz(3),

  CONSTRAINT "mail_link_pkey" PRIMARY KEY ("token_sha256"),
  CONSTRAINT "mail_link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mail_link_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "email_change" ("id") ON DELETE SET NULL ON UPDATE SET NULL,
  CONSTRAINT "mail_link_token_sha256_check" CHECK (octet_length("token_sha256") = 32),
  CONSTRAINT "mail_link_change_id_check" CHECK ("change_id" IS NULL OR "purpose" = 'change_email')
);

-- The open links of an account.
CREATE INDEX "mail_link_account_id_idx" ON "mail_link" ("account_id");
-- The sweep of what has expired.
CREATE INDEX "mail_link_expires_at_idx" ON "mail_link" ("expires_at");
-- The links of a change, when it ends.
CREATE INDEX "mail_link_change_id_idx" ON "mail_link" ("change_id");

CREATE FUNCTION "mail_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        IF NEW.email_verified_at IS NULL OR EXISTS (SELECT 1 FROM registration_request WHERE id = NEW.id) THEN
          INSERT INTO mail (kind, account_id, recipient)
          SELECT CASE WHEN EXISTS (SELECT 1 FROM registration_request WHERE id = NEW.id) THEN 'registration_approved'
                      ELSE 'verify_email' END::mail_kind, NEW.id, NEW.email;
        END IF;
        RETURN NULL;
      END IF;
      IF NEW.erased_at IS NOT NULL OR (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) THEN
        DELETE FROM mail WHERE account_id = NEW.id;
        DELETE FROM email_change WHERE account_id = NEW.id;
        DELETE FROM mail_link WHERE account_id = NEW.id;
        IF NEW.erased_at IS NULL THEN
          INSERT INTO mail (kind, account_id, recipient) VALUES ('account_deleted', NEW.id, NEW.email);
        END IF;
        RETURN NULL;
      END IF;
      IF NEW.deleted_at IS NULL AND OLD.deleted_at IS NOT NULL THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES ('account_restored', NEW.id, NEW.email);
      END IF;
      IF NEW.deleted_at IS NULL AND (NEW.suspended_at IS NULL) <> (OLD.suspended_at IS NULL) THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES (
          CASE WHEN NEW.suspended_at IS NULL THEN 'suspension_ended' ELSE 'account_suspended' END::mail_kind, NEW.id, NEW.email);
      END IF;
      IF NEW.email <> OLD.email THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES ('email_changed', NEW.id, OLD.email);
      END IF;
      -- If the epoch stays, the same password was only hashed again.
      IF NEW.epoch > OLD.epoch AND NEW.password_hash <> OLD.password_hash THEN
        INSERT INTO mail (kind, account_id, recipient) VALUES ('password_changed', NEW.id, NEW.email);
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_mail_insert" AFTER INSERT ON "account" FOR EACH ROW
  EXECUTE FUNCTION "mail_account"();
CREATE TRIGGER "account_mail" AFTER UPDATE OF "email", "password_hash", "suspended_at", "deleted_at", "erased_at" ON "account" FOR EACH ROW
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

-- Public applications ask each time: only the first consent connects one. The service's own web client comes with the account.
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
  WHEN (NEW."kind" = 'consent' AND NEW."client_id" <> 'built-in-web-client')
  EXECUTE FUNCTION "mail_application"();

-- Whether it failed is found when the mail is made.
CREATE FUNCTION "mail_import"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'import_ended', a.id, a.email, jsonb_build_object('import', NEW.id)
        FROM account a WHERE a.id = NEW.account_id AND a.email_verified_at IS NOT NULL AND a.hidden_at IS NULL;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_import_mail" AFTER UPDATE OF "state" ON "account_import" FOR EACH ROW
  WHEN (OLD."state" = 'running' AND NEW."state" IN ('finished', 'failed'))
  EXECUTE FUNCTION "mail_import"();

CREATE FUNCTION "mail_factor"("of_account" bigint, "with_detail" jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      -- What goes with its account needs no message.
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'factor_changed', a.id, a.email, with_detail
        FROM account a WHERE a.id = of_account AND a.deleted_at IS NULL AND a.erased_at IS NULL;
    END
  $$;

CREATE FUNCTION "mail_named_factor"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM mail_factor(p.account_id, jsonb_build_object('change', TG_ARGV[0], 'names', jsonb_agg(p.name ORDER BY p.id)))
        FROM changed AS p GROUP BY p.account_id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "passkey_mail_added" AFTER INSERT ON "passkey" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_named_factor"('passkey_added');
CREATE TRIGGER "passkey_mail_removed" AFTER DELETE ON "passkey" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_named_factor"('passkey_removed');

CREATE TRIGGER "upstream_identity_mail_added" AFTER INSERT ON "upstream_identity" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_named_factor"('identity_added');
CREATE TRIGGER "upstream_identity_mail_removed" AFTER DELETE ON "upstream_identity" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_named_factor"('identity_removed');

CREATE FUNCTION "mail_totp"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM mail_factor(t.account_id, jsonb_build_object('change', TG_ARGV[0])) FROM changed AS t;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "totp_mail_added" AFTER INSERT ON "totp" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_totp"('totp_added');
CREATE TRIGGER "totp_mail_removed" AFTER DELETE ON "totp" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_totp"('totp_removed');

CREATE FUNCTION "mail_recovery_codes"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      -- The first codes come with the app, in the transaction that tells of it.
      PERFORM mail_factor(made.account_id, jsonb_build_object('change', 'recovery_codes_made'))
        FROM (SELECT DISTINCT account_id FROM changed) AS made JOIN totp t ON t.account_id = made.account_id
       WHERE t.created_at <> CURRENT_TIMESTAMP::timestamptz(3);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "recovery_code_mail" AFTER INSERT ON "recovery_code" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_recovery_codes"();

-- Tells the reporters that a case is decided, and the author what is deleted. The message about a suspension has the rule and the posts
-- that were deleted with it.
CREATE FUNCTION "mail_report_case"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'report_decided', a.id, a.email, jsonb_build_object('case', NEW.id)
        FROM report r JOIN account a ON a.id = r.reporter_id WHERE r.case_id = NEW.id AND a.hidden_at IS NULL;
      INSERT INTO mail (kind, account_id, recipient, detail)
      SELECT 'content_deleted', a.id, a.email, jsonb_build_object('case', NEW.id)
        FROM account a
       WHERE a.id = NEW.account_id AND a.deleted_at IS NULL
         AND (NEW.outcome = 'deleted' OR (NEW.posts_deleted AND a.suspended_at < NEW.resolved_at));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "report_case_mail" AFTER UPDATE OF "resolved_at" ON "report_case" FOR EACH ROW
  WHEN (OLD."resolved_at" IS NULL AND NEW."resolved_at" IS NOT NULL)
  EXECUTE FUNCTION "mail_report_case"();

CREATE FUNCTION "end_mail_links"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM email_change WHERE account_id = NEW.id;
      DELETE FROM mail_link WHERE account_id = NEW.id AND used_at IS NULL AND purpose <> 'verify_email';
      DELETE FROM mail WHERE (account_id = NEW.id AND kind = 'change_email')
        OR (kind = 'reset_password' AND lower(recipient) = OLD.email_ci);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_epoch_mail_links" AFTER UPDATE OF "epoch" ON "account" FOR EACH ROW
  WHEN (NEW."epoch" > OLD."epoch")
  EXECUTE FUNCTION "end_mail_links"();
CREATE TRIGGER "account_email_mail_links" AFTER UPDATE OF "email_ci" ON "account" FOR EACH ROW
  WHEN (NEW."email_ci" <> OLD."email_ci")
  EXECUTE FUNCTION "end_mail_links"();
