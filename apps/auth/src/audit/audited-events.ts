import type { Queryable } from '@linnet/db/database';
import type { Logger } from '@linnet/service/logger';

import type { AuthEvents, ReasonCode, RequestEvent } from './events.ts';
import { insertAuditEvents } from '@linnet/audit/audit-store';
import type { NewAuditEvent } from '@linnet/audit/audit-store';
import { createBatchWriter } from '@linnet/service/batch-writer';

/** Refusals that hint at a stolen code or token. Database triggers record that its grant was revoked. */
const reuses: ReadonlyMap<ReasonCode | undefined, string> = new Map([
  ['code_reused', 'code.replayed'],
  ['refresh_token_reused', 'token.reused'],
]);

type Entry = Pick<NewAuditEvent, 'event' | 'actor'> & Partial<Pick<NewAuditEvent, 'detail'>>;

/**
 * Also writes events to the audit log that change no row; database triggers record the others. A failed client
 * authentication is not recorded here: it is in the request log of the application's owner.
 */
export function auditEvents(events: AuthEvents, { db, logger }: { db: Queryable; logger: Logger }): AuthEvents {
  const writer = createBatchWriter<NewAuditEvent>({
    store: (items) => insertAuditEvents(db, items),
    onLost: (count, err) => logger.error({ err, count }, 'audit events were not stored'),
  });
  type Source = RequestEvent & { readonly accountId?: number | undefined };
  const record = ({ requestId, clientId, accountId }: Source, entry: Entry): void => {
    writer.add({ detail: {}, ...entry, requestId, clientId, accountId, at: new Date() });
  };
  return {
    ...events,
    tokenRefused: (event) => {
      events.tokenRefused(event);
      const reuse = reuses.get(event.reasonCode);
      if (reuse !== undefined) record(event, { event: reuse, actor: 'application' });
    },
    tokenRevoked: (event) => {
      events.tokenRevoked(event);
      record(event, { event: 'token.revoked', actor: 'application', detail: { kind: event.kind } });
    },
    signInRefused: (event) => {
      events.signInRefused(event);
      record(event, { event: 'session.refused', actor: 'person', detail: { reason: event.reason } });
    },
    identityConfirmed: (event) => {
      events.identityConfirmed(event);
      record(event, { event: 'session.confirmed', actor: 'person' });
    },
    confirmationRefused: (event) => {
      events.confirmationRefused(event);
      record(event, { event: 'session.confirmation_refused', actor: 'person', detail: { reason: event.reason } });
    },
    consentRefused: (event) => {
      events.consentRefused(event);
      record(event, { event: 'consent.refused', actor: 'person' });
    },
    passwordChangeRefused: (event) => {
      events.passwordChangeRefused(event);
      record(event, { event: 'account.password_change_refused', actor: 'person', detail: { reason: event.reason } });
    },
  };
}
