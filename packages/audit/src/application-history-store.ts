/** The history of one application, for its owner. Consents of people are not part of it. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { AuditEvent } from './audit-store.ts';

/** Must match the index `audit_event_with_webhooks_idx`. */
const applicationEvents = [
  'application.created',
  'application.changed',
  'application.described',
  'application.verified',
  'application.unverified',
  'application.paused',
  'application.resumed',
  'application.suspended',
  'application.unsuspended',
  'secret.added',
  'secret.renamed',
  'secret.retired',
  'secret.removed',
  'code.replayed',
  'token.reused',
  'webhook.added',
  'webhook.changed',
  'webhook.secret_changed',
  'webhook.switched_off',
  'webhook.switched_on',
  'webhook.removed',
] as const;

export interface ApplicationEvent extends Pick<AuditEvent, 'id' | 'at' | 'actor'> {
  readonly event: (typeof applicationEvents)[number];
  /** For events of a secret. */
  readonly secretId: string | null;
  /** That secret, unless it was removed. */
  readonly secret: { readonly name: string | null; readonly createdAt: string } | null;
  /** For saved settings. */
  readonly scopes: readonly string[] | null;
  /** For saved settings: the new values of the protocol settings that changed; null if too long or unset. */
  readonly settings: Readonly<Record<string, unknown>> | null;
}

const list = applicationEvents.map((event) => `'${event}'`).join(', ');

const historyStatement = statement<readonly [clientId: string, before: number, limit: number], ApplicationEvent>(
  'audit_of_application',
  `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.detail ->> 'secret_id' AS "secretId", e.detail -> 'scopes' AS scopes,
          e.detail -> 'settings' AS settings,
          (SELECT json_build_object('name', s.name, 'createdAt', s.created_at) FROM application_secret s
            WHERE s.id = (e.detail ->> 'secret_id')::bigint AND s.client_id = e.client_id) AS secret
     FROM audit_event e
    WHERE e.client_id = $1 AND e.event IN (${list}) AND e.id < $2
    ORDER BY e.id DESC LIMIT $3`,
);

/** Latest first. The caller must check who owns the application. */
export async function findApplicationEvents(
  db: Queryable,
  clientId: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly ApplicationEvent[]> {
  return await db.query(historyStatement, [clientId, before, limit]);
}
