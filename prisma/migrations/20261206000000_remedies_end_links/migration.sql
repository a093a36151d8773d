-- Everything that ends the sessions of an account also ends its open links and its pending change of the address: someone
-- with a session may have asked for them. Before, only a new password, another address and a deletion did so.

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
