CREATE TYPE "application_type" AS ENUM ('confidential', 'public', 'native');

-- True for an object of texts, none blank and none longer than 200 characters.
CREATE FUNCTION "are_scope_reasons"("reasons" jsonb) RETURNS boolean
  LANGUAGE sql IMMUTABLE
  AS $$
    SELECT jsonb_typeof(reasons) = 'object'
       AND NOT jsonb_path_exists(reasons, '$.* ? (@.type() != "string" || !(@ like_regex "^.{1,200}$" flag "s"))')
  $$;

CREATE TABLE "application" (
  "client_id"                             varchar(256)       NOT NULL,
  "owner_id"                              bigint,
  "name"                                  varchar(60)        NOT NULL,
  "type"                                  "application_type" NOT NULL,
  "scopes"                                text[],
  "created_at"                            timestamptz(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "suspended_at"                          timestamptz(3),
  "epoch"                                 integer            NOT NULL DEFAULT 0,
  -- Applications that sign their requests with keys of their own (private_key_jwt) and have no secret:
  -- the address of their keys, or the keys themselves.
  "jwks_uri"                              varchar(2048),
  "jwks"                                  jsonb,
  "optional_scopes"                       text[]             NOT NULL DEFAULT '{}',
  "scope_reasons"                         jsonb              NOT NULL DEFAULT '{}',
  -- By its owner; `suspended_at` is set by operators.
  "paused_at"                             timestamptz(3),
  -- Until then its successful requests are kept in watched_request.
  "watched_until"                         timestamptz(3),
  "website_uri"                           varchar(2048),
  "terms_uri"                             varchar(2048),
  "privacy_uri"                           varchar(2048),
  -- The algorithm of an application's ID tokens: RS256, which every client supports, unless the owner chooses another.
  "id_token_signed_response_alg"          varchar(16)        NOT NULL DEFAULT 'RS256'
    CONSTRAINT "application_id_token_signed_response_alg_check" CHECK ("id_token_signed_response_alg" IN ('ES256', 'RS256')),
  -- Sign-out at the request of an application (OpenID Connect RP-Initiated Logout).
  "post_logout_redirect_uris"             text[]             NOT NULL DEFAULT '{}',
  -- What an application may use of the protocol, one column per setting.
  "grant_types"                           text[]             NOT NULL DEFAULT '{authorization_code,refresh_token}',
  "require_pkce"                          boolean            NOT NULL DEFAULT true,
  "require_pushed_authorization_requests" boolean            NOT NULL DEFAULT false,
  "dpop_bound_access_tokens"              boolean            NOT NULL DEFAULT false,
  -- Seconds; null is the default of the service.
  "access_token_lifetime"                 integer,
  "refresh_token_lifetime"                integer,
  -- The only algorithm of an application's client assertions. `any`: ES256, PS256, EdDSA or, unless strict, RS256.
  "token_endpoint_auth_signing_alg"       varchar(16)        NOT NULL DEFAULT 'any',
  "accept_endpoint_audience"              boolean            NOT NULL DEFAULT false,
  "backchannel_logout_uri"                varchar(2048),
  "backchannel_logout_session_required"   boolean            NOT NULL DEFAULT false,
  "verified_at"                           timestamptz(3),
  -- Requests to POST /auth/register in an hour, set by an operator; null for the limit of all applications.
  "registrations_per_hour"                integer,
  -- The key of the name of a verified application, by toNameKey(); null for other applications.
  "name_key"                              text,
  "strict"                                boolean            NOT NULL DEFAULT false,
  "registration_token_sha256"             bytea,
  -- Whether an operator allows it to get the scopes of the admin API.
  "admin_allowed"                         boolean            NOT NULL DEFAULT false,
  -- By the file of `linnet apply`, whose `--prune` deletes only such applications.
  "declared"                              boolean            NOT NULL DEFAULT false,

  CONSTRAINT "application_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "application_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "application_name_check" CHECK (btrim("name") <> ''),
  CONSTRAINT "application_keys_check"
    CHECK (num_nonnulls("jwks_uri", "jwks") <= (CASE WHEN "type" = 'confidential' THEN 1 ELSE 0 END)),
  CONSTRAINT "application_jwks_check" CHECK (jsonb_typeof("jwks" -> 'keys') = 'array'),
  CONSTRAINT "application_optional_scopes_check" CHECK ("optional_scopes" <@ COALESCE("scopes", '{}')),
  CONSTRAINT "application_scope_reasons_check" CHECK (are_scope_reasons("scope_reasons")),
  CONSTRAINT "application_links_check" CHECK (
    COALESCE("website_uri", 'https://') ~ '^https?://' AND COALESCE("terms_uri", 'https://') ~ '^https?://'
    AND COALESCE("privacy_uri", 'https://') ~ '^https?://'
    ),
  CONSTRAINT "application_post_logout_redirect_uris_check" CHECK (cardinality("post_logout_redirect_uris") <= 20),
  CONSTRAINT "application_require_pkce_check" CHECK ("require_pkce" OR "type" = 'confidential'),
  CONSTRAINT "application_access_token_lifetime_check" CHECK ("access_token_lifetime" BETWEEN 60 AND 3600),
  CONSTRAINT "application_refresh_token_lifetime_check" CHECK ("refresh_token_lifetime" BETWEEN 300 AND 31536000),
  CONSTRAINT "application_token_endpoint_auth_signing_alg_check"
    CHECK ("token_endpoint_auth_signing_alg" IN ('any', 'ES256', 'PS256', 'EdDSA', 'RS256')),
  CONSTRAINT "application_name_key_check" CHECK ("name_key" IS NULL OR "verified_at" IS NOT NULL),
  CONSTRAINT "application_strict_check" CHECK (NOT "strict" OR (
    "type" = 'confidential' AND ("jwks_uri" IS NOT NULL OR "jwks" IS NOT NULL)
    AND "require_pkce" AND "require_pushed_authorization_requests" AND "dpop_bound_access_tokens"
    AND NOT "accept_endpoint_audience"
    AND "token_endpoint_auth_signing_alg" <> 'RS256' AND "id_token_signed_response_alg" <> 'RS256'
    AND "grant_types" <@ ARRAY['authorization_code', 'refresh_token', 'client_credentials'])),
  CONSTRAINT "application_registration_token_sha256_check" CHECK (octet_length("registration_token_sha256") = 32),
  -- Verification is about an owner.
  CONSTRAINT "application_registrations_per_hour_check" CHECK ("registrations_per_hour" BETWEEN 0 AND 1000000),
  CONSTRAINT "application_self_registered_verified_check" CHECK ("owner_id" IS NOT NULL OR "verified_at" IS NULL),
  -- Its tokens act for its owner.
  CONSTRAINT "application_admin_allowed_check" CHECK (NOT "admin_allowed" OR ("owner_id" IS NOT NULL AND "type" = 'confidential')),
  -- Without an owner there is nobody to act as, and nobody to ask about an application that acts by itself.
  CONSTRAINT "application_self_registered_grant_types_check" CHECK (
    "owner_id" IS NOT NULL OR "grant_types" <@ ARRAY['authorization_code', 'refresh_token']),
  CONSTRAINT "application_client_id_check" CHECK (
    "client_id" ~ '^[A-Za-z0-9_-]{16,64}$' AND "client_id" !~ '^[0-9]+$' OR "client_id" ~ '^https?://[!-~]+$'),
  -- Nobody owns an application that registered itself or has a document, and only the former has a token.
  CONSTRAINT "application_self_registered_check" CHECK (
    num_nonnulls("owner_id", "registration_token_sha256") = CASE WHEN "client_id" ~ '^https?://' THEN 0 ELSE 1 END)
);

-- linnet app list --owner; My applications.
CREATE INDEX "application_owner_id_created_at_idx" ON "application" ("owner_id", "created_at");
-- For every new name of an application: does it look like the one of a verified application?
CREATE INDEX "application_name_key_idx" ON "application" ("name_key") WHERE "name_key" IS NOT NULL;

CREATE TABLE "redirect_uri" (
  "client_id" varchar(256)  NOT NULL,
  "position"  integer       NOT NULL,
  "uri"       varchar(2048) NOT NULL,

  CONSTRAINT "redirect_uri_pkey" PRIMARY KEY ("client_id", "position"),
  CONSTRAINT "redirect_uri_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT
);

CREATE TABLE "application_secret" (
  "id"           bigint         NOT NULL DEFAULT next_id(),
  "client_id"    varchar(256)   NOT NULL,
  "sha256"       bytea          NOT NULL,
  "created_at"   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at"   timestamptz(3),
  -- Without one it is shown by its day, in the reader's language.
  "name"         varchar(60),
  -- Written in batches, each second.
  "last_used_at" timestamptz(3),
  "uses"         bigint         NOT NULL DEFAULT 0,

  CONSTRAINT "application_secret_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "application_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_secret_sha256_check" CHECK (octet_length("sha256") = 32),
  CONSTRAINT "application_secret_name_check" CHECK (btrim("name") <> ''),
  CONSTRAINT "application_secret_uses_check" CHECK ("uses" >= 0 AND ("uses" = 0) = ("last_used_at" IS NULL))
);

-- Loading an application with its secrets.
CREATE INDEX "application_secret_client_id_idx" ON "application_secret" ("client_id");
-- The sweep of those that ended a while ago.
CREATE INDEX "application_secret_expires_at_idx" ON "application_secret" ("expires_at");

-- Why requests of an application were refused, for its owner; rows live 7 days.
CREATE TYPE "request_failure_kind" AS ENUM (
  'redirect_uri', 'credentials', 'secret_ended', 'code', 'refresh_token', 'pkce', 'scope', 'ignored_scope', 'person',
  'logout', 'request', 'api'
);

CREATE TABLE "request_log" (
  "id"         bigint                 NOT NULL DEFAULT next_id(),
  -- Of the last repeat.
  "at"         timestamptz(3)         NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "first_at"   timestamptz(3)         NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "times"      bigint                 NOT NULL DEFAULT 1,
  "client_id"  varchar(256)           NOT NULL,
  -- Of everything in which a repeat is equal.
  "fingerprint" uuid                  NOT NULL DEFAULT gen_random_uuid(),
  "kind"       "request_failure_kind" NOT NULL,
  "endpoint"   varchar(100)           NOT NULL,
  -- The code that the application was answered.
  "error"      varchar(64)            NOT NULL,
  -- Never a secret, a code, a token or a state.
  "reason"     varchar(300)           NOT NULL,
  -- Of a wrong return address: the one that was sent, and the one it is nearest to.
  "presented"  varchar(2048),
  "registered" varchar(2048),
  "cause"      varchar(40),
  -- Times, names of scopes, parameters and settings; never a value that was sent.
  "details"    jsonb,
  -- Of the latest repeats, newest first.
  "request_ids" uuid[]                NOT NULL DEFAULT '{}',
  -- Of the response; of requests to the API.
  "status"     smallint,
  -- The application proved who it is. Anyone can send other requests in its name.
  "authenticated" boolean             NOT NULL DEFAULT false,

  CONSTRAINT "request_log_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "request_log_client_id_fingerprint_key" UNIQUE ("client_id", "fingerprint"),
  CONSTRAINT "request_log_times_check" CHECK ("times" > 0),
  CONSTRAINT "request_log_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "request_log_presented_check" CHECK ("kind" = 'redirect_uri' OR ("presented" IS NULL AND "registered" IS NULL))
);

-- The application's page; how many an application has had in the last minute; deleting an application.
CREATE INDEX "request_log_client_id_at_idx" ON "request_log" ("client_id", "at");
-- The sweep.
CREATE INDEX "request_log_at_idx" ON "request_log" ("at");

-- Successful requests of an application while its owner watches it (application.watched_until); rows live an hour.
CREATE TABLE "watched_request" (
  "client_id"  varchar(256)   NOT NULL,
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "at"         timestamptz(3) NOT NULL,
  "endpoint"   varchar(100)   NOT NULL,
  "request_id" uuid,

  CONSTRAINT "watched_request_pkey" PRIMARY KEY ("client_id", "id"),
  CONSTRAINT "watched_request_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT
);

-- The sweep.
CREATE INDEX "watched_request_at_idx" ON "watched_request" ("at");

-- Written in batches, each second, by both servers: tokens by one, calls and errors by the other.
CREATE TABLE "application_usage" (
  "client_id"    varchar(256)   NOT NULL,
  -- Of UTC.
  "day"          date           NOT NULL,
  "tokens"       bigint         NOT NULL DEFAULT 0,
  "calls"        bigint         NOT NULL DEFAULT 0,
  -- Of the calls: those that were answered 4xx or 5xx.
  "errors"       bigint         NOT NULL DEFAULT 0,
  "last_used_at" timestamptz(3) NOT NULL,

  CONSTRAINT "application_usage_pkey" PRIMARY KEY ("client_id", "day"),
  CONSTRAINT "application_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_usage_counts_check" CHECK ("tokens" >= 0 AND "errors" >= 0 AND "errors" <= "calls")
);

-- The sweep of old days.
CREATE INDEX "application_usage_day_idx" ON "application_usage" ("day");

-- A picture that was drawn anew by the decoder, so it is small and kept with the application.
CREATE TABLE "application_logo" (
  "client_id" varchar(256) NOT NULL,
  -- Random, with the type at its end: its address. Another picture has another one.
  "name"      varchar(36)  NOT NULL,
  "bytes"     bytea        NOT NULL,

  CONSTRAINT "application_logo_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "application_logo_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "application_logo_name_key" UNIQUE ("name"),
  CONSTRAINT "application_logo_name_check" CHECK ("name" ~ '\A[0-9a-f]{32}[.](png|jpg)\Z'),
  CONSTRAINT "application_logo_bytes_check" CHECK (octet_length("bytes") BETWEEN 1 AND 1048576)
);

-- The playground of the developer area: an application runs against the service itself, as its owner tries it.
CREATE TABLE "playground_run" (
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "account_id" bigint         NOT NULL,
  "client_id"  varchar(256)   NOT NULL,
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

-- The applications and registered APIs of a suspended or deleted account stop with it. A higher epoch revokes their tokens for good, and it
-- reaches the revocation feed, so every process reloads the applications, when the account is restored, too.
CREATE FUNCTION "stop_applications_of_account"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE application SET epoch = epoch + 1 WHERE owner_id = NEW.id;
      UPDATE resource_server SET epoch = epoch + 1 WHERE owner_id = NEW.id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_stops_applications" AFTER UPDATE OF "suspended_at", "deleted_at" ON "account" FOR EACH ROW
  WHEN ((OLD."suspended_at" IS NULL, OLD."deleted_at" IS NULL) IS DISTINCT FROM (NEW."suspended_at" IS NULL, NEW."deleted_at" IS NULL))
  EXECUTE FUNCTION "stop_applications_of_account"();

CREATE FUNCTION "end_verification_of_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF (NEW.name, NEW.website_uri, NEW.owner_id) IS DISTINCT FROM (OLD.name, OLD.website_uri, OLD.owner_id) THEN
        NEW.verified_at := NULL;
        NEW.name_key := NULL;
      END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "application_end_verification" BEFORE UPDATE OF "name", "website_uri", "owner_id" ON "application" FOR EACH ROW
  WHEN (OLD."verified_at" IS NOT NULL)
  EXECUTE FUNCTION "end_verification_of_application"();

-- Without a condition on "verified_at": the update then waits for an operator who verifies the application at the same
-- time, and ends that verification, too.
CREATE FUNCTION "end_verification_by_logo"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      UPDATE application SET verified_at = NULL, name_key = NULL WHERE client_id = COALESCE(NEW.client_id, OLD.client_id);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_logo_end_verification" AFTER INSERT OR UPDATE OR DELETE ON "application_logo" FOR EACH ROW
  EXECUTE FUNCTION "end_verification_by_logo"();

-- APIs of developers, which accept access tokens of this service: resource servers (RFC 6749) with registered audiences
-- (RFC 8707) and scopes of their own.
CREATE TABLE "resource_server" (
  "id"                 bigint         NOT NULL DEFAULT next_id(),
  -- The value of the parameter `resource`, and of `aud`. Never changes.
  "identifier"         varchar(512)   NOT NULL,
  "owner_id"           bigint         NOT NULL,
  -- The application that may introspect tokens for the API; it counts only while it has the same owner.
  "client_id"          varchar(64),
  "name"               varchar(60)    NOT NULL,
  -- In the order in which people see them.
  "scopes"             text[]         NOT NULL,
  -- What each scope allows, by scope.
  "scope_descriptions" jsonb          NOT NULL,
  -- Signs the access tokens for the API.
  "access_token_alg"   varchar(8)     NOT NULL DEFAULT 'ES256',
  -- Its own metadata named this service when the owner asked last: the owner controls the address.
  "is_proven"          boolean        NOT NULL DEFAULT false,
  "created_at"         timestamptz(3) NOT NULL DEFAULT now(),
  -- Raised when a scope is removed or its owner suspended: tokens for the API that were issued before that are inactive.
  "epoch"              integer        NOT NULL DEFAULT 0,
  -- By the file of `linnet apply`, whose `--prune` deletes only such APIs.
  "declared"           boolean        NOT NULL DEFAULT false,

  CONSTRAINT "resource_server_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "resource_server_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "resource_server_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE SET NULL ON UPDATE RESTRICT,
  -- In grants, the scope S of an API with the identifier I is stored as I#S, so neither may contain what separates them.
  CONSTRAINT "resource_server_identifier_check" CHECK ("identifier" ~ '^https?://[^[:space:]#]+$'),
  CONSTRAINT "resource_server_name_check" CHECK (btrim("name") <> ''),
  CONSTRAINT "resource_server_scopes_check" CHECK (cardinality("scopes") BETWEEN 1 AND 30
    AND array_position("scopes", NULL) IS NULL AND array_to_string("scopes", '') !~ '[[:space:]#]'),
  CONSTRAINT "resource_server_scope_descriptions_check" CHECK (jsonb_typeof("scope_descriptions") = 'object'),
  CONSTRAINT "resource_server_access_token_alg_check" CHECK ("access_token_alg" IN ('ES256', 'RS256'))
);

-- Every request that names the API.
CREATE UNIQUE INDEX "resource_server_identifier_key" ON "resource_server" ("identifier");
-- The APIs of an account.
CREATE INDEX "resource_server_owner_id_created_at_idx" ON "resource_server" ("owner_id", "created_at");
-- When an application is deleted.
CREATE INDEX "resource_server_client_id_idx" ON "resource_server" ("client_id");

-- A scope that is removed, or goes with its API, leaves every grant: a later scope or API of that name must be granted
-- anew. The epoch of a grant revokes its tokens; its refresh tokens keep working for the scopes that are left.
CREATE FUNCTION "remove_scopes_of_resource_server"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    DECLARE
      removed text[] := OLD.scopes;
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        removed := ARRAY(SELECT s FROM unnest(OLD.scopes) s WHERE s <> ALL (NEW.scopes));
        IF removed = '{}' THEN RETURN NEW; END IF;
        NEW.epoch := OLD.epoch + 1;
      END IF;
      removed := ARRAY(SELECT OLD.identifier || '#' || s FROM unnest(removed) s);
      UPDATE "grant" g
         SET scopes = ARRAY(SELECT s FROM unnest(g.scopes) WITH ORDINALITY AS u (s, position)
                             WHERE s <> ALL (removed) ORDER BY position),
             epoch = g.epoch + 1
       WHERE g.id IN (SELECT grant_id FROM grant_resource_server WHERE resource_server_id = OLD.id)
         AND g.scopes && removed;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "resource_server_remove_scopes" BEFORE UPDATE OF "scopes" OR DELETE ON "resource_server" FOR EACH ROW
  EXECUTE FUNCTION "remove_scopes_of_resource_server"();

CREATE FUNCTION "erase_resource_servers"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      DELETE FROM resource_server WHERE owner_id = NEW.id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_erase_resource_servers" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL)
  EXECUTE FUNCTION "erase_resource_servers"();

-- When the document of a client was fetched. A row of its own, because a change of the application reaches every process.
CREATE TABLE "client_metadata_document" (
  "client_id"   varchar(256)   NOT NULL,
  "sha256"      bytea          NOT NULL,
  "etag"        varchar(256),
  "fetched_at"  timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then it is not fetched again.
  "fresh_until" timestamptz(3) NOT NULL,

  CONSTRAINT "client_metadata_document_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "client_metadata_document_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id")
    ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "client_metadata_document_sha256_check" CHECK (octet_length("sha256") = 32)
);

-- Seconds since 2026, which are ahead of any epoch that was only raised, also after the row of the deletion has expired.
CREATE FUNCTION "continue_epoch_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      NEW.epoch := GREATEST(
        EXTRACT(EPOCH FROM clock_timestamp() - timestamptz '2026-01-01 00:00:00+00')::integer,
        (SELECT r.epoch FROM revocation r WHERE r.kind = 'client' AND r.id = NEW.client_id));
      RETURN NEW;
    END
  $$;

CREATE TRIGGER "application_continue_epoch" BEFORE INSERT ON "application" FOR EACH ROW
  WHEN (NEW."client_id" ~ '^https?://')
  EXECUTE FUNCTION "continue_epoch_of_client"();

-- Which endpoints an application calls, by class of the status. Written in batches, so that requests write nothing.
CREATE TABLE "endpoint_usage" (
  "client_id" varchar(256) NOT NULL,
  -- Of UTC.
  "day"       date         NOT NULL,
  -- Method and route, such as `GET /api/v2.0/users/show`; never a path that a client chose.
  "endpoint"  varchar(100) NOT NULL,
  -- 2xx and 3xx.
  "succeeded" bigint       NOT NULL DEFAULT 0,
  -- 4xx.
  "rejected"  bigint       NOT NULL DEFAULT 0,
  -- 5xx.
  "failed"    bigint       NOT NULL DEFAULT 0,

  CONSTRAINT "endpoint_usage_pkey" PRIMARY KEY ("client_id", "day", "endpoint"),
  CONSTRAINT "endpoint_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "endpoint_usage_counts_check" CHECK ("succeeded" >= 0 AND "rejected" >= 0 AND "failed" >= 0)
);

-- The sweep of old days.
CREATE INDEX "endpoint_usage_day_idx" ON "endpoint_usage" ("day");

CREATE TYPE "draft_status" AS ENUM ('draft', 'proposed', 'scheduled', 'rejected', 'published');

-- What an account wrote, or an application proposes for it, and nobody else sees yet: a call of the API that publishing makes.
CREATE TABLE "draft" (
  -- Ascends with time: drafts are listed newest first.
  "id"           bigint         NOT NULL,
  "account_id"   bigint         NOT NULL,
  "status"       "draft_status" NOT NULL,
  "version"      integer        NOT NULL DEFAULT 1,
  -- Path of the call.
  "call"         varchar(32)    NOT NULL,
  -- Its parameters, without pictures. Not jsonb, which changes their order.
  "parameters"   json           NOT NULL,
  -- Pictures to attach, in their order. They stay as long as the draft waits.
  "media_ids"    bigint[]       NOT NULL DEFAULT '{}',
  -- The application that proposed it; null: the person wrote it. Not a foreign key: the person decides, whatever becomes of the application.
  "client_id"    varchar(256),
  -- When it is published, if it is scheduled. Of a proposal: when the application would publish it.
  "publish_at"   timestamptz(0),
  -- Why it was not published at its time.
  "failure"      varchar(64),
  -- Why the person rejected it.
  "reason"       varchar(500),
  -- The post or comment that publishing created.
  "published_id" bigint,
  "created_at"   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: it waits.
  "decided_at"   timestamptz(3),

  CONSTRAINT "draft_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "draft_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "draft_version_check" CHECK ("version" >= 1),
  CONSTRAINT "draft_client_check" CHECK ("client_id" IS NOT NULL OR "status" IN ('draft', 'scheduled', 'published')),
  CONSTRAINT "draft_publish_at_check" CHECK (CASE "status" WHEN 'draft' THEN "publish_at" IS NULL WHEN 'scheduled' THEN "publish_at" IS NOT NULL ELSE true END),
  CONSTRAINT "draft_failure_check" CHECK ("failure" IS NULL OR "status" = 'draft'),
  CONSTRAINT "draft_reason_check" CHECK ("reason" IS NULL OR "status" = 'rejected'),
  CONSTRAINT "draft_decided_check" CHECK (("decided_at" IS NULL) = ("status" IN ('draft', 'proposed', 'scheduled'))),
  CONSTRAINT "draft_shard_check" CHECK ((("id" # "account_id") & 4092) = 0)
);

-- GET /drafts, and the drafts that keep a picture.
CREATE INDEX "draft_account_id_status_id_idx" ON "draft" ("account_id", "status", "id" DESC);
-- What is to be published.
CREATE INDEX "draft_publish_at_idx" ON "draft" ("publish_at") WHERE "status" = 'scheduled';
-- The sweep.
CREATE INDEX "draft_decided_at_idx" ON "draft" ("decided_at") WHERE "decided_at" IS NOT NULL;

-- Somebody else may have scheduled it. What is being published is locked, in the other order.
CREATE FUNCTION "end_schedules"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      UPDATE draft SET status = 'draft', publish_at = NULL, failure = 'access-ended' WHERE id = ANY (ARRAY(
        SELECT id FROM draft WHERE account_id = NEW.id AND status = 'scheduled' FOR NO KEY UPDATE SKIP LOCKED));
      RETURN NULL;
    END
  $$;

-- As invitations: what ends all other access to an account also ends what is scheduled. A suspension does not.
CREATE TRIGGER "account_end_schedules" AFTER UPDATE OF "epoch" ON "account" FOR EACH ROW
  WHEN (NEW."epoch" > OLD."epoch" AND (NEW."suspended_at" IS NULL OR NEW."password_hash" <> OLD."password_hash"))
  EXECUTE FUNCTION "end_schedules"();

CREATE TRIGGER "draft_id_in_shard" BEFORE INSERT ON "draft" FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION "set_id_in_shard"('account_id');
ALTER TABLE "draft" ENABLE ALWAYS TRIGGER "draft_id_in_shard";
