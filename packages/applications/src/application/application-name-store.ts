/** Finds names that look like those of verified accounts and applications. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

const lockStatement = statement<readonly [keys: readonly string[]], never>(
  'application_lock_name',
  // In one order, or two transactions could wait for each other.
  `SELECT lock_username('application ' || key) FROM unnest($1::text[]) AS key ORDER BY key`,
);

/**
 * Locks names by their keys until the end of the transaction. Both a new name and a verification take it, so that no
 * look-alike is stored once a verification has been committed.
 */
export async function lockNames(tx: Queryable, keys: readonly string[]): Promise<void> {
  await tx.query(lockStatement, [keys]);
}

// One look-up in each of the indexes that hold verified accounts and applications only.
const imitationStatement = statement<
  readonly [keys: readonly string[], ownerId: number | null],
  { isImitation: boolean }
>(
  'application_imitation',
  `SELECT EXISTS (
     SELECT 1 FROM account WHERE verified AND username_key(username_ci) = ANY($1::text[]) AND (id = $2) IS NOT TRUE
   ) OR EXISTS (
     SELECT 1 FROM account WHERE display_name_key = ANY($1::text[]) AND (id = $2) IS NOT TRUE
   ) OR EXISTS (
     SELECT 1 FROM application WHERE name_key = ANY($1::text[]) AND (owner_id = $2) IS NOT TRUE
   ) AS "isImitation"`,
);

/** True if another owner's verified account or application has one of the keys. `ownerId`: null for no owner. */
export async function isImitationByKey(
  tx: Queryable,
  keys: readonly string[],
  ownerId: number | null,
): Promise<boolean> {
  return requireRow(await tx.query(imitationStatement, [keys, ownerId]), imitationStatement).isImitation;
}

/** What an application can do that its owner should hear about by mail. */
export type GainedAccess = 'act-as-owner' | 'implicit' | 'scopes' | 'settings';

interface ApplicationNotice {
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
