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
