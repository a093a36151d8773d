import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

/** What an application can do that its owner should hear about by mail. */
export type GainedAccess = 'act-as-owner' | 'implicit' | 'scopes' | 'settings';

export interface ApplicationNotice {
  readonly ownerId: number;
  readonly name: string;
  readonly change: 'created' | 'changed';
  /** Of a new application: everything that applies. Of a change: only what is new. */
  readonly gained: readonly GainedAccess[];
  /** The scopes behind `scopes`. */
  readonly scopes: readonly string[];
  /** Registration names of the protocol settings behind `settings`. */
  readonly settings: readonly string[];
}

const insertStatement = statement<readonly [ownerId: number, detail: string], never>(
  'mail_application_notice',
  `INSERT INTO mail (kind, account_id, recipient, detail)
   SELECT 'application_notice', id, email, $2::jsonb FROM account WHERE id = $1`,
);

/** Queues a mail to the owner that names the application, in the transaction of the change. */
export async function insertApplicationNotice(tx: Queryable, { ownerId, ...detail }: ApplicationNotice): Promise<void> {
  await tx.query(insertStatement, [ownerId, JSON.stringify(detail)]);
}
