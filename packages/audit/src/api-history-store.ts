/** The history of the registered APIs of one account, for that account. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { AuditEvent } from './audit-store.ts';

/** The settings that an event can name as changed. */
type ChangedApiSetting = 'name' | 'scopes' | 'scope_descriptions' | 'client_id' | 'access_token_alg' | 'is_proven';

export interface ApiEvent extends Pick<AuditEvent, 'id' | 'at' | 'actor'> {
  readonly event: 'api.created' | 'api.changed' | 'api.deleted';
  readonly identifier: string;
  /** The introspecting application, after the event. */
  readonly clientId: string | null;
  /** After the event. */
  readonly name: string;
  /** After the event; null for a deleted API. */
  readonly scopes: readonly string[] | null;
  /** After the event; null if it did not change. */
  readonly accessTokenAlg: string | null;
  /** Null for an API that was created or deleted. */
  readonly changed: readonly ChangedApiSetting[] | null;
}

const historyStatement = statement<readonly [accountId: number, before: number, limit: number], ApiEvent>(
  'audit_of_apis',
  // The events of the index `audit_event_of_apis_idx`.
  `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.client_id AS "clientId", e.detail ->> 'identifier' AS identifier,
          e.detail ->> 'name' AS name, e.detail -> 'scopes' AS scopes,
          e.detail ->> 'access_token_alg' AS "accessTokenAlg", e.detail -> 'changed' AS changed
     FROM audit_event e
    WHERE e.account_id = $1 AND e.event IN ('api.created', 'api.changed', 'api.deleted') AND e.id < $2
    ORDER BY e.id DESC LIMIT $3`,
);

/** Latest first. */
export async function findApiEvents(
  db: Queryable,
  accountId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly ApiEvent[]> {
  return await db.query(historyStatement, [accountId, before, limit]);
}
