-- client_metadata_documents replaced this function by a version that forgot paused applications. As before, the tokens of
-- an application that is paused are revoked, whatever their epoch.
CREATE OR REPLACE FUNCTION "revoke_tokens_of_client"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM revoke_tokens('client', OLD.client_id, CASE WHEN OLD.client_id ~ '^https?://' THEN OLD.epoch + 1 END);
      ELSE
        PERFORM revoke_tokens('client', NEW.client_id,
          CASE WHEN NEW.suspended_at IS NULL AND NEW.paused_at IS NULL THEN NEW.epoch END);
      END IF;
      RETURN NULL;
    END
  $$;
