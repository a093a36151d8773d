/** The audit log for readers that follow it, such as a SIEM: oldest first, and complete up to where it was read. */
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import type { AuditEvent } from './audit-store.ts';

export type FollowedEvent = Omit<AuditEvent, 'username'>;

const followStatement = statement<readonly [after: number, limit: number], FollowedEvent>(
  'audit_follow',
  // Ids ascend with time, but transactions commit in another order. Nothing is added to what is sealed.
  `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.account_id AS "accountId", e.client_id AS "clientId",
          e.request_id AS "requestId", abbrev(o.address) AS address, e.detail
     FROM audit_event e LEFT JOIN audit_address o ON o.event_id = e.id
    WHERE e.id > $1 AND e.id <= (SELECT to_id FROM audit_seal ORDER BY number DESC LIMIT 1)
    ORDER BY e.id LIMIT $2`,
);

/** Sealed events after this one. */
export async function followAuditEvents(
  db: Queryable,
  after: number,
  limit: number,
): Promise<readonly FollowedEvent[]> {
  return await db.query(followStatement, [after, limit]);
}
