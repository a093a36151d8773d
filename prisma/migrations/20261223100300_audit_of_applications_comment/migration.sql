COMMENT ON INDEX "audit_event_with_webhooks_idx" IS 'The history of one application, the latest first.';
