-- What an application may use of the protocol, one column per setting. The grant type `implicit` replaces the column of
-- that name.
ALTER TABLE "application"
  ADD COLUMN "grant_types"                           text[]  NOT NULL DEFAULT '{authorization_code,refresh_token}',
  ADD COLUMN "require_pkce"                          boolean NOT NULL DEFAULT true,
  ADD COLUMN "require_pushed_authorization_requests" boolean NOT NULL DEFAULT false,
  ADD COLUMN "dpop_bound_access_tokens"              boolean NOT NULL DEFAULT false,
  -- Seconds; null is the default of the service.
  ADD COLUMN "access_token_lifetime"                 integer,
  ADD COLUMN "refresh_token_lifetime"                integer;

-- Applications keep what they could do and have used. The device flow was open to all of them: it stays on where somebody
-- authorized a device, and its code or refresh token is still valid. A code without a decision proves nothing, because
-- anyone can request one.
UPDATE "application" a SET
  "require_pkce" = a."type" <> 'confidential',
  "grant_types" = ARRAY['authorization_code', 'refresh_token']
    || CASE WHEN a."type" = 'confidential' THEN ARRAY['client_credentials'] ELSE '{}' END
    || CASE WHEN EXISTS (
         SELECT 1 FROM "oauth_artifact" o
          WHERE o."payload" ->> 'clientId' = a."client_id"
            AND (o."kind" = 'DeviceCode' AND o."payload" ? 'accountId'
              OR o."kind" = 'RefreshToken' AND o."payload" ->> 'gty' LIKE '%device_code%')
       ) THEN ARRAY['urn:ietf:params:oauth:grant-type:device_code'] ELSE '{}' END
    || CASE WHEN a."implicit" THEN ARRAY['implicit'] ELSE '{}' END;

CREATE OR REPLACE FUNCTION "audit_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM audit('application.deleted', 'person', OLD.owner_id, OLD.client_id);
      ELSIF TG_OP = 'INSERT' THEN
        PERFORM audit('application.created', 'person', NEW.owner_id, NEW.client_id,
          jsonb_build_object('type', NEW.type, 'scopes', NEW.scopes, 'grant_types', NEW.grant_types,
            'implicit', 'implicit' = ANY(NEW.grant_types)));
      ELSE
        PERFORM audit(CASE WHEN NEW.suspended_at IS NULL THEN 'application.unsuspended' ELSE 'application.suspended' END,
          'service', NEW.owner_id, NEW.client_id);
      END IF;
      RETURN NULL;
    END
  $$;

-- `settings`: the new values of the protocol settings that changed. Those are all columns but the ones listed here, so
-- that no new setting can be forgotten. A value of more than 500 characters is left out.
CREATE OR REPLACE FUNCTION "audit_application_settings"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      settings jsonb;
    BEGIN
      SELECT COALESCE(jsonb_object_agg(after.key, CASE WHEN length(after.value::text) <= 500 THEN after.value END), '{}')
        INTO settings
        FROM jsonb_each(to_jsonb(NEW)) after JOIN jsonb_each(to_jsonb(OLD)) before USING (key)
       WHERE after.value <> before.value
         AND key NOT IN ('client_id', 'owner_id', 'name', 'type', 'scopes', 'optional_scopes', 'scope_reasons', 'jwks_uri',
           'jwks', 'created_at', 'epoch', 'suspended_at', 'paused_at', 'website_uri', 'terms_uri', 'privacy_uri');
      PERFORM audit('application.changed', 'person', NEW.owner_id, NEW.client_id,
        jsonb_build_object('scopes', NEW.scopes, 'optional_scopes', NEW.optional_scopes,
          'implicit', 'implicit' = ANY(NEW.grant_types), 'settings', settings));
      RETURN NULL;
    END
  $$;
DROP TRIGGER "application_audit_settings" ON "application";
CREATE TRIGGER "application_audit_settings" AFTER UPDATE OF "name", "scopes", "grant_types", "jwks_uri", "jwks" ON "application"
  FOR EACH ROW EXECUTE FUNCTION "audit_application_settings"();

ALTER TABLE "application"
  DROP COLUMN "implicit",
  ADD CONSTRAINT "application_require_pkce_check" CHECK ("require_pkce" OR "type" = 'confidential'),
  ADD CONSTRAINT "application_access_token_lifetime_check" CHECK ("access_token_lifetime" BETWEEN 60 AND 3600),
  ADD CONSTRAINT "application_refresh_token_lifetime_check" CHECK ("refresh_token_lifetime" BETWEEN 300 AND 31536000);
