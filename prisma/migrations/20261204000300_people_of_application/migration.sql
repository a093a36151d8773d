-- How many people use an application, which the consent page shows.
CREATE INDEX "grant_people_idx" ON "grant" ("client_id", "account_id", "ends_at") WHERE "kind" = 'consent' AND "revoked_at" IS NULL;
