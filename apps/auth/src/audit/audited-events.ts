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

type Told = Pick<NewAuditEvent, 'event' | 'actor'> & Partial<Pick<NewAuditEvent, 'detail'>>;

/**
 * Puts into the audit log what changes no row of the database; the triggers of the database tell the rest.
 * `events` are told as well. An application that does not prove who it is stands in its owner's log alone.
 */
export function auditEvents(events: AuthEvents, { db, logger }: { db: Queryable; logger: Logger }): AuthEvents {
  const writer = createBatchWriter<NewAuditEvent>({
    store: (items) => insertAuditEvents(db, items),
    onLost: (count, err) => logger.error({ err, count }, 'audit events are lost'),
  });
  type Source = RequestEvent & { readonly accountId?: number | undefined };
  const tell = ({ requestId, clientId, accountId }: Source, told: Told): void => {
    writer.add({ detail: {}, ...told, requestId, clientId, accountId, at: new Date() });
  };
  return {
    ...events,
    tokenRefused: (event) => {
      events.tokenRefused(event);
      const reuse = reuses.get(event.reasonCode);
      if (reuse !== undefined) tell(event, { event: reuse, actor: 'application' });
    },
    tokenRevoked: (event) => {
      events.tokenRevoked(event);
      tell(event, { event: 'token.revoked', actor: 'application', detail: { kind: event.kind } });
    },
    signInRefused: (event) => {
      events.signInRefused(event);
      tell(event, { event: 'session.refused', actor: 'person', detail: { reason: event.reason } });
    },
    identityConfirmed: (event) => {
      events.identityConfirmed(event);
      tell(event, { event: 'session.confirmed', actor: 'person' });
    },
    confirmationRefused: (event) => {
      events.confirmationRefused(event);
      tell(event, { event: 'session.confirmation_refused', actor: 'person', detail: { reason: event.reason } });
    },
    consentRefused: (event) => {
      events.consentRefused(event);
      tell(event, { event: 'consent.refused', actor: 'person' });
    },
    passwordChangeRefused: (event) => {
      events.passwordChangeRefused(event);
      tell(event, { event: 'account.password_change_refused', actor: 'person', detail: { reason: event.reason } });
    },
  };
}
