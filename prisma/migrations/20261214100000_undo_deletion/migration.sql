-- The owner of an account is told that it was deleted, how to undo that, and that it was undone. A deleted account still gets
-- a link for a new password and the notice that it was changed: its owner signs in to restore it.

ALTER TYPE "mail_kind" ADD VALUE 'account_deleted' AFTER 'sign_in_attempts';
ALTER TYPE "mail_kind" ADD VALUE 'account_restored' AFTER 'account_deleted';

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
