-- Passkeys, codes of an authenticator app, and recovery codes.

CREATE TABLE "passkey" (
  "id"            bigint         NOT NULL DEFAULT next_id(),
  "account_id"    bigint         NOT NULL,
  -- What the authenticator calls it (WebAuthn §4, credential id).
  "credential_id" bytea          NOT NULL,
  -- COSE_Key.
  "public_key"    bytea          NOT NULL,
  -- How often the authenticator says it was used; synced passkeys stay at 0.
  "sign_count"    bigint         NOT NULL DEFAULT 0,
  "transports"    text[]         NOT NULL DEFAULT '{}',
  "name"          varchar(60)    NOT NULL,
  "created_at"    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at"  timestamptz(3),

  CONSTRAINT "passkey_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "passkey_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "passkey_credential_id_check" CHECK (octet_length("credential_id") BETWEEN 1 AND 1023),
  CONSTRAINT "passkey_public_key_check" CHECK (octet_length("public_key") BETWEEN 1 AND 4096),
  CONSTRAINT "passkey_sign_count_check" CHECK ("sign_count" >= 0),
  CONSTRAINT "passkey_name_check" CHECK ("name" <> '')
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey" ("credential_id");
-- The passkeys of an account.
CREATE INDEX "passkey_account_id_idx" ON "passkey" ("account_id");

CREATE TABLE "totp" (
  "account_id" bigint         NOT NULL,
  -- The secret, sealed with SECRET_KEYS.
  "secret_jwe" text           NOT NULL,
  -- The 30 seconds (RFC 6238 §4.2) of the last code that was taken: none is taken twice.
  "last_step"  bigint         NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "totp_pkey" PRIMARY KEY ("account_id"),
  CONSTRAINT "totp_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "totp_secret_jwe_check" CHECK ("secret_jwe" <> ''),
  CONSTRAINT "totp_last_step_check" CHECK ("last_step" >= 0)
);

-- Instead of a code of the app, once each.
CREATE TABLE "recovery_code" (
  "account_id" bigint         NOT NULL,
  "sha256"     bytea          NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "used_at"    timestamptz(3),

  CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("account_id", "sha256"),
  CONSTRAINT "recovery_code_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "totp" ("account_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "recovery_code_sha256_check" CHECK (octet_length("sha256") = 32)
);

CREATE FUNCTION "audit_factor"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      of_account bigint;
      of_kind    jsonb := jsonb_build_object('kind', TG_TABLE_NAME);
    BEGIN
      IF TG_OP = 'DELETE' THEN of_account := OLD.account_id; ELSE of_account := NEW.account_id; END IF;
      IF TG_OP = 'INSERT' THEN
        PERFORM audit('factor.added', 'person', of_account, NULL, of_kind);
      ELSIF TG_OP = 'UPDATE' THEN
        PERFORM audit('factor.used', 'person', of_account, NULL, of_kind);
      -- What goes with its account is told of by the account's own event.
      ELSIF EXISTS (SELECT FROM account WHERE id = of_account AND erased_at IS NULL) THEN
        PERFORM audit('factor.removed', 'person', of_account, NULL, of_kind);
      END IF;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "passkey_audit" AFTER INSERT OR DELETE OR UPDATE OF "last_used_at" ON "passkey" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();
CREATE TRIGGER "totp_audit" AFTER INSERT OR DELETE OR UPDATE OF "last_step" ON "totp" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();
CREATE TRIGGER "recovery_code_audit" AFTER UPDATE OF "used_at" ON "recovery_code" FOR EACH ROW
  EXECUTE FUNCTION "audit_factor"();

CREATE FUNCTION "audit_recovery_codes"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      PERFORM audit('factor.recovery_codes_made', 'person', made.account_id, NULL)
        FROM (SELECT DISTINCT account_id FROM new_codes) AS made;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "recovery_code_audit_made" AFTER INSERT ON "recovery_code" REFERENCING NEW TABLE AS new_codes FOR EACH STATEMENT
  EXECUTE FUNCTION "audit_recovery_codes"();

-- An account that is erased keeps its row.
CREATE FUNCTION "erase_factors"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM passkey WHERE account_id = NEW.id;
      DELETE FROM totp WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;
CREATE TRIGGER "account_erase_factors" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (OLD."erased_at" IS NULL AND NEW."erased_at" IS NOT NULL)
  EXECUTE FUNCTION "erase_factors"();
