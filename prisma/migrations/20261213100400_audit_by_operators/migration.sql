CREATE INDEX CONCURRENTLY "audit_event_operators_idx" ON "audit_event" ("id") WHERE "actor" = 'operator';
