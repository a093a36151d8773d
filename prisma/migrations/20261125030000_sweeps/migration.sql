-- The sweep of grants that ended long ago.
CREATE INDEX "grant_revoked_at_idx" ON "grant" ("revoked_at") WHERE "revoked_at" IS NOT NULL;
