CREATE INDEX CONCURRENTLY "audit_event_event_idx" ON "audit_event" ("event", "id");
