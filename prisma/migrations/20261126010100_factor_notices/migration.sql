-- Who owns an account is told when what proves who they are was added or removed, by whomever: one message for
-- each statement that did so. `detail` holds what was done and, of passkeys, their names, which outlive the rows.

ALTER TYPE "mail_kind" ADD VALUE 'factor_changed';

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

CREATE FUNCTION "mail_passkeys"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM mail_factor(p.account_id, jsonb_build_object('change', TG_ARGV[0], 'names', jsonb_agg(p.name ORDER BY p.id)))
        FROM changed AS p GROUP BY p.account_id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "passkey_mail_added" AFTER INSERT ON "passkey" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_passkeys"('passkey_added');
CREATE TRIGGER "passkey_mail_removed" AFTER DELETE ON "passkey" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION "mail_passkeys"('passkey_removed');

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
