COMMENT ON INDEX "audit_event_account_idx" IS 'The audit search: what happened to an account.';
COMMENT ON INDEX "audit_event_client_idx" IS 'The audit search: what happened to an application.';
COMMENT ON INDEX "audit_event_event_idx" IS 'The audit search: events of one kind.';
COMMENT ON INDEX "audit_event_operators_idx" IS 'The audit search: what operators did (partial: their events only).';
