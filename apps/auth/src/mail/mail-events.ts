import type { Queryable } from '@linnet/db/statement/transaction';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';

import { insertAuditEvents } from '@linnet/audit/audit-store';
import type { NewAuditEvent } from '@linnet/audit/audit-store';
import type { MailKind } from './mail-store.ts';

/** Members of every event. An event never contains an address or text of the message. */
interface MailEvent {
  readonly mailId: number;
  readonly kind: MailKind;
  readonly accountId: number | undefined;
  readonly attempts: number;
}

/** Events of outgoing mail. */
export interface MailEvents {
  /** Mail about a sign-in from a new place is also recorded in the audit log; `session` is its uid. */
  sent(event: MailEvent & { readonly session?: string | undefined }): Promise<void>;
  /** Sending failed and will be retried. */
  delayed(event: MailEvent & { readonly reason: string }): void;
  /** Sending failed permanently; also recorded in the audit log. */
  givenUp(event: MailEvent & { readonly reason: string }): Promise<void>;
}

interface MailEventsOptions {
  readonly db: Queryable;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
}

export function createMailEvents({ db, logger, metrics }: MailEventsOptions): MailEvents {
  const count = (outcome: 'sent' | 'delayed' | 'given-up') => metrics?.count('mail', { outcome });
  async function record(event: string, { accountId }: MailEvent, detail: NewAuditEvent['detail']): Promise<void> {
    const entry = { event, actor: 'service', clientId: undefined, requestId: undefined } as const;
    await insertAuditEvents(db, [{ ...entry, accountId, at: new Date(), detail }]);
  }
  return {
    sent: async ({ session, ...event }) => {
      logger.info(event, 'mail sent');
      count('sent');
      if (session !== undefined) await record('session.new_place', event, { session });
    },
    delayed: (event) => {
      logger.warn(event, 'mail delayed');
      count('delayed');
    },
    givenUp: async (event) => {
      count('given-up');
      logger.error(event, 'mail given up');
      await record('mail.given_up', event, { kind: event.kind, reason: event.reason });
    },
  };
}
