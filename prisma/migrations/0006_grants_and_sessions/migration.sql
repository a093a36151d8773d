CREATE TYPE "grant_kind" AS ENUM ('act_as_owner', 'consent');

CREATE TABLE "grant" (
  "id"         varchar(64)    NOT NULL,
  "account_id" bigint         NOT NULL,
  "client_id"  varchar(256)   NOT NULL,
  "kind"       "grant_kind"   NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" timestamptz(3),
  "scopes"     text[],
  "payload"    jsonb,
  "epoch"      integer        NOT NULL DEFAULT 0,
  -- Known to applications; ascends with time.
  "number"     bigint         NOT NULL DEFAULT next_id(),
  -- From then on it gives nothing, whether or not somebody has marked it as revoked; NULL: until somebody ends it.
  "ends_at"    timestamptz(3),

  CONSTRAINT "grant_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "grant_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "grant_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "grant_ends_at_check" CHECK ("ends_at" IS NULL OR "kind" = 'consent')
);

-- Loading an application with the account that its client credentials act as.
CREATE INDEX "grant_client_id_kind_idx" ON "grant" ("client_id", "kind");
-- One living grant of each kind for an application that acts as its owner.
CREATE UNIQUE INDEX "grant_act_as_owner_key" ON "grant" ("client_id") WHERE "kind" = 'act_as_owner' AND "revoked_at" IS NULL;
-- Connected applications of an account; its consent for one application.
CREATE INDEX "grant_account_id_client_id_idx" ON "grant" ("account_id", "client_id");
-- Numbers are unique; applications name a grant by its number.
CREATE UNIQUE INDEX "grant_number_key" ON "grant" ("number");
-- The job that ends what is past its end: a trigger then tells the revocation feed.
CREATE INDEX "grant_ends_at_idx" ON "grant" ("ends_at") WHERE "revoked_at" IS NULL;
-- The sweep of grants that ended long ago.
CREATE INDEX "grant_revoked_at_idx" ON "grant" ("revoked_at") WHERE "revoked_at" IS NOT NULL;
-- How many people use an application, which the consent page shows.
CREATE INDEX "grant_people_idx" ON "grant" ("client_id", "account_id", "ends_at") WHERE "kind" = 'consent' AND "revoked_at" IS NULL;

-- An authorization below a grant: a code or device code with all tokens that follow from it. A row ends it, and the grant stays.
CREATE TABLE "ended_chain" (
  "id"       varchar(32)    NOT NULL,
  "grant_id" varchar(64)    NOT NULL,
  "ended_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "ended_chain_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ended_chain_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- Deleting a grant with what depends on it.
CREATE INDEX "ended_chain_grant_id_idx" ON "ended_chain" ("grant_id");
-- The sweep of chains whose tokens have expired.
CREATE INDEX "ended_chain_ended_at_idx" ON "ended_chain" ("ended_at");

CREATE TABLE "oauth_artifact" (
  "kind"             varchar(32)    NOT NULL,
  "id_sha256"        bytea          NOT NULL,
  "payload"          jsonb          NOT NULL,
  "grant_id"         varchar(64),
  "chain_id"         varchar(32),
  "expires_at"       timestamptz(3) NOT NULL,
  "consumed_at"      timestamptz(3),
  "successor_sha256" bytea,
  "successor_salt"   varchar(22),
  "created_at"       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "oauth_artifact_pkey" PRIMARY KEY ("kind", "id_sha256"),
  CONSTRAINT "oauth_artifact_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "oauth_artifact_id_sha256_check" CHECK (octet_length("id_sha256") = 32),
  -- Ids in clear never stand in the payload.
  CONSTRAINT "oauth_artifact_payload_check" CHECK (NOT "payload" ? 'jti'),
  CONSTRAINT "oauth_artifact_chain_id_check" CHECK ("chain_id" IS NULL OR "grant_id" IS NOT NULL)
);

-- Deleting a grant with what depends on it.
CREATE INDEX "oauth_artifact_grant_id_idx" ON "oauth_artifact" ("grant_id");
-- The sweep of what has expired.
CREATE INDEX "oauth_artifact_expires_at_idx" ON "oauth_artifact" ("expires_at");
-- The code that a person types: what the device page looks for.
CREATE UNIQUE INDEX "oauth_artifact_user_code_key" ON "oauth_artifact" (("payload" ->> 'userCode')) WHERE "kind" = 'DeviceCode';

CREATE TABLE "session" (
  "uid"          varchar(64)    NOT NULL,
  "id_sha256"    bytea,
  "account_id"   bigint,
  "login_epoch"  integer,
  "payload"      jsonb          NOT NULL,
  "user_agent"   varchar(256)   NOT NULL DEFAULT '',
  "address"      varchar(45)    NOT NULL DEFAULT '',
  "created_at"   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_seen_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at"   timestamptz(3) NOT NULL,
  "revoked_at"   timestamptz(3),
  -- The provider with which the person signed in, and what it calls its own session.
  "issuer"       varchar(255),
  "issuer_sid"   varchar(255),

  CONSTRAINT "session_pkey" PRIMARY KEY ("uid"),
  CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "session_payload_check" CHECK (NOT "payload" ? 'jti'),
  CONSTRAINT "session_login_epoch_check" CHECK (("account_id" IS NULL) = ("login_epoch" IS NULL))
);

-- The session of a cookie.
CREATE UNIQUE INDEX "session_id_sha256_key" ON "session" ("id_sha256");
-- The sessions that a provider ends.
CREATE INDEX "session_issuer_sid_idx" ON "session" ("issuer_sid") WHERE "issuer_sid" IS NOT NULL;
-- The sessions page of an account.
CREATE INDEX "session_account_id_last_seen_at_idx" ON "session" ("account_id", "last_seen_at");
-- The sweep of what has expired.
CREATE INDEX "session_expires_at_idx" ON "session" ("expires_at");
-- The job that shortens addresses. Sessions live for 14 days at most, so the table is small: the index of a million rows takes about
-- half a second, and requests that write wait longer than that.
CREATE INDEX "session_full_address_idx" ON "session" ("created_at") WHERE "address" <> '' AND position('/' IN "address") = 0;

-- Proofs of possession (RFC 9449) that API servers have seen, until they are too old to be taken. Not
-- logged: after a crash of the database one could be repeated for a minute.
CREATE UNLOGGED TABLE "dpop_proof" (
  "id_sha256"  bytea          NOT NULL,
  "expires_at" timestamptz(3) NOT NULL,

  CONSTRAINT "dpop_proof_pkey" PRIMARY KEY ("id_sha256"),
  CONSTRAINT "dpop_proof_id_sha256_check" CHECK (octet_length("id_sha256") = 32)
);

-- Each proof that comes removes some that have expired.
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof" ("expires_at");

-- Browsers and networks that an account was used from: no notice of a sign-in there.
CREATE TABLE "known_device" (
  "account_id"    bigint         NOT NULL,
  -- Of the browser's name, its system and its network.
  "device_sha256" bytea          NOT NULL,
  -- The mail that was to tell of it when it was seen first.
  "mail_id"       bigint         NOT NULL,
  "seen_at"       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "known_device_pkey" PRIMARY KEY ("account_id", "device_sha256"),
  CONSTRAINT "known_device_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "known_device_device_sha256_check" CHECK (octet_length("device_sha256") = 32)
);

-- The sweep of devices that were not seen for long.
CREATE INDEX "known_device_seen_at_idx" ON "known_device" ("seen_at");

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

-- The passkey that a browser presents.
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

-- Whom a provider of SIGN_IN_PROVIDERS signs in to an account. The account may be a registration that waits, which has the same id: so
-- there is no foreign key.
CREATE TABLE "upstream_identity" (
  "id"           bigint         NOT NULL DEFAULT next_id(),
  "account_id"   bigint         NOT NULL,
  "issuer"       varchar(255)   NOT NULL,
  "subject"      varchar(255)   NOT NULL,
  -- Of the provider, when it was linked.
  "name"         varchar(60)    NOT NULL,
  -- A rule of the provider made the account an operator, and may end that.
  "gave_role"    boolean        NOT NULL DEFAULT false,
  "created_at"   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" timestamptz(3),

  CONSTRAINT "upstream_identity_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "upstream_identity_subject_check" CHECK ("issuer" <> '' AND "subject" <> '' AND "name" <> '')
);

-- Whom the provider signs in.
CREATE UNIQUE INDEX "upstream_identity_subject_key" ON "upstream_identity" ("issuer", "subject");
-- Those of an account, with one of each provider.
CREATE UNIQUE INDEX "upstream_identity_account_id_key" ON "upstream_identity" ("account_id", "issuer");

-- A registration that was refused, or that nobody decided.
CREATE FUNCTION "forget_upstream_identity"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM upstream_identity WHERE account_id = OLD.id AND NOT EXISTS (SELECT FROM account WHERE id = OLD.id);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "registration_request_forgets_identity" AFTER DELETE ON "registration_request" FOR EACH ROW
  EXECUTE FUNCTION "forget_upstream_identity"();

-- An account that is erased keeps its row.
CREATE FUNCTION "erase_factors"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM passkey WHERE account_id = NEW.id;
      DELETE FROM totp WHERE account_id = NEW.id;
      DELETE FROM upstream_identity WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_erase_factors" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (OLD."erased_at" IS NULL AND NEW."erased_at" IS NOT NULL)
  EXECUTE FUNCTION "erase_factors"();

-- Switching the device flow of an application off ends its pending and approved device codes for good.
CREATE FUNCTION "end_device_codes_of_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM oauth_artifact WHERE kind = 'DeviceCode' AND payload ->> 'clientId' = NEW.client_id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_ends_device_codes" AFTER UPDATE OF "grant_types" ON "application" FOR EACH ROW
  WHEN ('urn:ietf:params:oauth:grant-type:device_code' = ANY(OLD."grant_types")
    AND NOT 'urn:ietf:params:oauth:grant-type:device_code' = ANY(NEW."grant_types"))
  EXECUTE FUNCTION "end_device_codes_of_application"();

CREATE TABLE "backchannel_logout" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "client_id"  varchar(256)   NOT NULL,
  "account_id" bigint         NOT NULL,
  -- The claim `sid` of the application's ID tokens.
  "sid"        varchar(64)    NOT NULL,
  "attempts"   integer        NOT NULL DEFAULT 0,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "due_at"     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "backchannel_logout_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "backchannel_logout_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "backchannel_logout_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "backchannel_logout_attempts_check" CHECK ("attempts" >= 0)
);

-- What to send next.
CREATE INDEX "backchannel_logout_due_at_idx" ON "backchannel_logout" ("due_at");
-- The notifications of an application: postponed together when it cannot be reached, and deleted with it.
CREATE INDEX "backchannel_logout_client_id_due_at_idx" ON "backchannel_logout" ("client_id", "due_at");
-- Deleted with the account.
CREATE INDEX "backchannel_logout_account_id_idx" ON "backchannel_logout" ("account_id");

-- A session that ends, or is taken over by another account. An entry without a grant is of a request that was denied. The
-- service's own web client ends with it.
CREATE FUNCTION "queue_backchannel_logout"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE "grant" SET revoked_at = now()
       WHERE id = OLD.payload->'authorizations'->'built-in-web-client'->>'grantId' AND revoked_at IS NULL;
      INSERT INTO backchannel_logout (client_id, account_id, sid)
      SELECT a.client_id, OLD.account_id, entry.value->>'sid'
        FROM jsonb_each(OLD.payload->'authorizations') AS entry (client_id, value)
        JOIN application a ON a.client_id = entry.client_id
       WHERE a.backchannel_logout_uri IS NOT NULL AND entry.value->>'grantId' IS NOT NULL AND entry.value->>'sid' IS NOT NULL;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "session_backchannel_logout" AFTER UPDATE OF "account_id", "revoked_at" ON "session" FOR EACH ROW
  WHEN (OLD."account_id" IS NOT NULL AND OLD."revoked_at" IS NULL
    AND (NEW."revoked_at" IS NOT NULL OR NEW."account_id" IS DISTINCT FROM OLD."account_id"))
  EXECUTE FUNCTION "queue_backchannel_logout"();

-- A higher epoch ends every session of the account. Revoking them here makes every such change end sessions in the one
-- way that the trigger above sees; a request that saves its session at the same time finds it revoked.
CREATE FUNCTION "revoke_sessions_of_epoch"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE session SET revoked_at = now(), id_sha256 = NULL
       WHERE account_id = NEW.id AND login_epoch = OLD.epoch AND revoked_at IS NULL AND expires_at > now();
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_epoch_sessions" AFTER UPDATE OF "epoch" ON "account" FOR EACH ROW
  WHEN (NEW."epoch" > OLD."epoch")
  EXECUTE FUNCTION "revoke_sessions_of_epoch"();

-- The grants with scopes of an API, which lose them when the API loses them. Written by a trigger of "grant".
CREATE TABLE "grant_resource_server" (
  "grant_id"           varchar(64) NOT NULL,
  "resource_server_id" bigint      NOT NULL,

  CONSTRAINT "grant_resource_server_pkey" PRIMARY KEY ("grant_id", "resource_server_id"),
  CONSTRAINT "grant_resource_server_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "grant_resource_server_resource_server_id_fkey" FOREIGN KEY ("resource_server_id") REFERENCES "resource_server" ("id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- The grants of an API that changes.
CREATE INDEX "grant_resource_server_resource_server_id_idx" ON "grant_resource_server" ("resource_server_id");

-- Scopes of our own API contain no `#`. FOR KEY SHARE waits for an API that is being deleted: another developer may
-- register its identifier next, and must not inherit its consents.
CREATE FUNCTION "link_resource_servers_of_grant"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    DECLARE
      known text[];
    BEGIN
      WITH found AS (
        SELECT r.id, r.identifier FROM resource_server r
         WHERE r.identifier IN (SELECT split_part(s, '#', 1) FROM unnest(NEW.scopes) s WHERE strpos(s, '#') > 0)
         ORDER BY r.id FOR KEY SHARE
      ), linked AS (
        INSERT INTO grant_resource_server (grant_id, resource_server_id) SELECT NEW.id, f.id FROM found f
        ON CONFLICT DO NOTHING
      )
      SELECT COALESCE(array_agg(f.identifier::text), '{}') INTO known FROM found f;
      IF EXISTS (SELECT 1 FROM unnest(NEW.scopes) s WHERE strpos(s, '#') > 0 AND split_part(s, '#', 1) <> ALL (known)) THEN
        UPDATE "grant" SET scopes = ARRAY(SELECT s FROM unnest(NEW.scopes) WITH ORDINALITY AS u (s, position)
                                           WHERE strpos(s, '#') = 0 OR split_part(s, '#', 1) = ANY (known) ORDER BY position)
         WHERE id = NEW.id;
      END IF;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "grant_link_resource_servers_insert" AFTER INSERT ON "grant" FOR EACH ROW
  WHEN (strpos(array_to_string(NEW."scopes", ' '), '#') > 0)
  EXECUTE FUNCTION "link_resource_servers_of_grant"();
CREATE TRIGGER "grant_link_resource_servers" AFTER UPDATE OF "scopes" ON "grant" FOR EACH ROW
  -- Not for a grant that only loses scopes, which would then wait for an API that changes, while that waits for the grant.
  WHEN (NOT NEW."scopes" <@ OLD."scopes" AND strpos(array_to_string(NEW."scopes", ' '), '#') > 0)
  EXECUTE FUNCTION "link_resource_servers_of_grant"();

-- Restoring the account does not give the role back.
CREATE FUNCTION "end_operator"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.operator_since := NULL;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "account_end_operator" BEFORE UPDATE OF "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN (NEW."operator_since" IS NOT NULL AND (NEW."suspended_at" IS NOT NULL OR NEW."deleted_at" IS NOT NULL))
  EXECUTE FUNCTION "end_operator"();
