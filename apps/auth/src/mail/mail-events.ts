import type { Queryable } from '@linnet/db/database';
import type { Logger } from '@linnet/service/logger';

import { insertAuditEvents } from '@linnet/audit/audit-store';
import type { MailKind } from './mail-store.ts';

/** What every event of a message tells; never an address, never what it says. */
interface MailEvent {
  readonly mailId: number;
  readonly kind: MailKind;
  readonly accountId: number | undefined;
  readonly attempts: number;
}

/** What becomes of outgoing mail. */
export interface MailEvents {
  sent(event: MailEvent): void;
  /** It could not be sent, and will be tried again. */
  delayed(event: MailEvent & { readonly reason: string }): void;
  /** It will not be tried again; the audit log tells of it, too. */
  givenUp(event: MailEvent & { readonly reason: string }): Promise<void>;
}

export function createMailEvents({ db, logger }: { db: Queryable; logger: Logger }): MailEvents {
  return {
    sent: (event) => logger.info(event, 'mail sent'),
    delayed: (event) => logger.warn(event, 'mail delayed'),
    givenUp: async (event) => {
      logger.error(event, 'mail given up');
      const { accountId, kind, reason } = event;
      const detail = { kind, reason };
      const told = { event: 'mail.given_up', actor: 'service', clientId: undefined, requestId: undefined } as const;
      await insertAuditEvents(db, [{ ...told, accountId, at: new Date(), detail }]);
    },
  };
}
