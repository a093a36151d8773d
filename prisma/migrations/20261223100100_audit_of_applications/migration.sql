CREATE INDEX CONCURRENTLY "audit_event_with_webhooks_idx" ON "audit_event" ("client_id", "id" DESC)
  WHERE "event" IN ('application.created', 'application.changed', 'application.described', 'application.verified',
    'application.unverified', 'application.paused', 'application.resumed', 'application.suspended',
    'application.unsuspended', 'secret.added', 'secret.renamed', 'secret.retired', 'secret.removed', 'code.replayed',
    'token.reused', 'webhook.added', 'webhook.changed', 'webhook.secret_changed', 'webhook.switched_off', 'webhook.switched_on',
    'webhook.removed');
