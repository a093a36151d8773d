DROP INDEX CONCURRENTLY "audit_event_of_application_idx";
