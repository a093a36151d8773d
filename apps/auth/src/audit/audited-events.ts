import type { Queryable } from '@linnet/db/statement/transaction';
import { storeApart } from '@linnet/db/store-apart';
import type { Logger } from '@linnet/service/log/logger';

import type { AuthEvents, ReasonCode, RequestEvent } from './events.ts';
import { insertAuditEvents } from '@linnet/audit/audit-store';
import type { NewAuditEvent } from '@linnet/audit/audit-store';
import { createRefusalWriter } from '@linnet/audit/refusal-store';
import { createBatchWriter } from '@linnet/service/jobs/batch-writer';
import { networkOf, parseAddress } from '@linnet/service/http/address';

/** Refusals that hint at a stolen code or token. Database triggers record that its grant was revoked. */
const reuses: ReadonlyMap<ReasonCode | undefined, string> = new Map([
  ['code_reused', 'code.replayed'],
  ['refresh_token_reused', 'token.reused'],
]);

type Entry = Pick<NewAuditEvent, 'event' | 'actor'> & Partial<Pick<NewAuditEvent, 'detail'>>;

interface AuditOptions {
  readonly db: Queryable;
  readonly logger: Logger;
  /** The client's address of the current request; empty if it is not known. */
  readonly currentAddress: () => string;
}

/**
 * Also writes events to the audit log that change no row; database triggers record the others. A failed client
 * authentication is not recorded here: it is in the request log of the application's owner.
 */
export function auditEvents(events: AuthEvents, options: AuditOptions): AuthEvents {
  const { record, count } = createRecorders(options);
  return {
    ...events,
    tokenRefused: (event) => {
      events.tokenRefused(event);
      const reuse = reuses.get(event.reasonCode);
      if (reuse !== undefined) count(event, { event: reuse, actor: 'application' });
    },
    tokenRevoked: (event) => {
      events.tokenRevoked(event);
      record(event, { event: 'token.revoked', actor: 'application', detail: { kind: event.kind } });
    },
    signInRefused: (event) => {
      events.signInRefused(event);
      count(event, { event: 'session.refused', actor: 'person', detail: { reason: event.reason } });
    },
    identityConfirmed: (event) => {
      events.identityConfirmed(event);
      record(event, { event: 'session.confirmed', actor: 'person' });
    },
    confirmationRefused: (event) => {
      events.confirmationRefused(event);
      count(event, { event: 'session.confirmation_refused', actor: 'person', detail: { reason: event.reason } });
    },
    dataExported: (event) => {
      events.dataExported(event);
      record(event, { event: 'account.exported', actor: 'person' });
    },
    consentRefused: (event) => {
      events.consentRefused(event);
      record(event, { event: 'consent.refused', actor: 'person' });
    },
    passwordChangeRefused: (event) => {
      events.passwordChangeRefused(event);
      count(event, { event: 'account.password_change_refused', actor: 'person', detail: { reason: event.reason } });
    },
  };
}

type Source = RequestEvent & { readonly accountId?: number | undefined };

/** `count` is for what a stranger can repeat without end. */
function createRecorders({ db, logger, currentAddress }: AuditOptions) {
  const onLost = (count: number, err: unknown) => logger.error({ err, count }, 'audit events were not stored');
  const writer = createBatchWriter<NewAuditEvent>({
    store: async (items) =>
      await storeApart(
        items,
        async (part) => await insertAuditEvents(db, part),
        (part, cause) => onLost(part.length, cause),
      ),
    onLost,
  });
  const refusals = createRefusalWriter({ db, onLost });
  return {
    record: ({ requestId, clientId, accountId }: Source, entry: Entry): void => {
      const address = parseAddress(currentAddress());
      writer.add({ detail: {}, ...entry, requestId, clientId, accountId, at: new Date(), address });
    },
    count: ({ requestId, clientId, accountId }: Source, entry: Entry): void => {
      const address = parseAddress(currentAddress());
      const network = networkOf(address ?? '');
      refusals.add({ detail: {}, ...entry, requestId, clientId, accountId, at: new Date(), address, network });
    },
  };
}
