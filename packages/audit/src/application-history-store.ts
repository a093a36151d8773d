/** What was done to one application, for its owner; people's consents are theirs and not in here. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import type { AuditEvent } from './audit-store.ts';

/** As the index `audit_event_of_application_idx` has them. */
const applicationEvents = [
  'application.created',
  'application.changed',
  'application.described',
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
] as const;

export interface ApplicationEvent extends Pick<AuditEvent, 'id' | 'at' | 'actor'> {
  readonly event: (typeof applicationEvents)[number];
  /** Of a secret that was added or has gone. */
  readonly secretId: string | null;
  /** The same secret while it is there. */
  readonly secret: { readonly name: string | null; readonly createdAt: string } | null;
  /** Of saved settings. */
  readonly scopes: readonly string[] | null;
}

const list = applicationEvents.map((event) => `'${event}'`).join(', ');

const historyStatement = statement<readonly [clientId: string, before: number, limit: number], ApplicationEvent>(
  'audit_of_application',
  `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.detail ->> 'secret_id' AS "secretId", e.detail -> 'scopes' AS scopes,
          (SELECT json_build_object('name', s.name, 'createdAt', s.created_at) FROM application_secret s
            WHERE s.id = (e.detail ->> 'secret_id')::bigint AND s.client_id = e.client_id) AS secret
     FROM audit_event e
    WHERE e.client_id = $1 AND e.event IN (${list}) AND e.id < $2
    ORDER BY e.id DESC LIMIT $3`,
);

/** The latest first; whose application it is, is for the caller to know. */
export async function findApplicationEvents(
  db: Queryable,
  clientId: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly ApplicationEvent[]> {
  return await db.query(historyStatement, [clientId, before, limit]);
}
