CREATE INDEX CONCURRENTLY "audit_event_client_idx" ON "audit_event" ("client_id", "id") WHERE "client_id" IS NOT NULL;
