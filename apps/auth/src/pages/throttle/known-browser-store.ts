import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

interface KnownAccount {
  readonly id: number;
  readonly epoch: number;
}

const findStatement = statement<readonly [accountIds: readonly number[], login: string], KnownAccount>(
  'known_browser_account',
  `SELECT id, epoch FROM account
    WHERE id = ANY ($1::bigint[]) AND (username_ci = $2 OR email_ci = $2) AND deleted_at IS NULL`,
);

/** The account among `accountIds` that has this username or e-mail address. */
export async function findKnownAccount(
  db: Queryable,
  accountIds: readonly number[],
  login: string,
): Promise<KnownAccount | undefined> {
  const [found] = await db.query(findStatement, [accountIds, login.trim().toLowerCase()]);
  return found;
}

const epochStatement = statement<readonly [accountId: number], { readonly epoch: number }>(
  'known_browser_epoch',
  'SELECT epoch FROM account WHERE id = $1 AND deleted_at IS NULL',
);

/** Changing the password or signing out everywhere raises the epoch. */
export async function findAccountEpoch(db: Queryable, accountId: number): Promise<number | undefined> {
  const [row] = await db.query(epochStatement, [accountId]);
  return row?.epoch;
}
