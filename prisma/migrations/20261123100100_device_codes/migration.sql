-- The code that a person types: what the device page looks for.
CREATE UNIQUE INDEX "oauth_artifact_user_code_key" ON "oauth_artifact" (("payload" ->> 'userCode')) WHERE "kind" = 'DeviceCode';
