CREATE INDEX CONCURRENTLY "audit_event_account_idx" ON "audit_event" ("account_id", "id") WHERE "account_id" IS NOT NULL;
