/** The security activity of one account, for its owner. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { AuditEvent } from './audit-store.ts';

/** What a person can recognize or should worry about. The index `audit_event_account_idx` finds all events of the account. */
export const accountEvents = [
  'account.registered',
  'account.renamed',
  'account.password_changed',
  'account.password_change_refused',
  'account.email_changed',
  'account.email_confirmed',
  'account.signed_out_everywhere',
  'account.exported',
  'account.imported',
  'account.import_undone',
  'account.deleted',
  'account.restored',
  'account.suspended',
  'account.unsuspended',
  'session.begun',
  'session.new_place',
  'session.confirmation_refused',
  'factor.added',
  'factor.removed',
  'factor.recovery_codes_made',
  'consent.given',
  'consent.widened',
  'consent.narrowed',
  'consent.ended',
  'authorization.ended',
  'invitation.created',
  'test_person.created',
  'test_person.deleted',
  'application.created',
  'application.deleted',
  'secret.added',
  'code.replayed',
  'token.reused',
] as const;

export interface AccountEvent extends Pick<AuditEvent, 'id' | 'at' | 'actor' | 'address'> {
  readonly event: (typeof accountEvents)[number];
  /** For events of a second factor. */
  readonly factor: string | null;
  /** For sign-ins: the browser's `User-Agent`, as long as the session is stored. */
  readonly userAgent: string | null;
  /** For events of an application; null if it was deleted. */
  readonly application: string | null;
}

const list = accountEvents.map((event) => `'${event}'`).join(', ');

const historyStatement = statement<readonly [accountId: number, before: number, limit: number], AccountEvent>(
  'audit_of_account',
  // The chosen events first: joining every event of a busy account would cost more than the page.
  `WITH chosen AS MATERIALIZED (
     SELECT id, at, event, actor, client_id, detail FROM audit_event
      WHERE account_id = $1 AND event IN (${list}) AND id < $2 ORDER BY id DESC LIMIT $3
   )
   SELECT e.id, e.at, e.event, e.actor::text AS actor, abbrev(o.address) AS address, e.detail ->> 'kind' AS factor,
          s.user_agent AS "userAgent", p.name AS application
     FROM chosen e LEFT JOIN audit_address o ON o.event_id = e.id LEFT JOIN application p ON p.client_id = e.client_id
     LEFT JOIN session s ON s.uid = e.detail ->> 'session' AND s.account_id = $1
    ORDER BY e.id DESC`,
);

/** Latest first. */
export async function findAccountEvents(
  db: Queryable,
  accountId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly AccountEvent[]> {
  return await db.query(historyStatement, [accountId, before, limit]);
}
