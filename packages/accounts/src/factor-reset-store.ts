import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

const deleteStatement = statement<readonly [accountId: number], never>(
  'factors_delete',
  `WITH a AS (UPDATE account SET epoch = epoch + 1 WHERE id = $1 RETURNING id),
        p AS (DELETE FROM passkey WHERE account_id IN (SELECT id FROM a)),
        u AS (DELETE FROM upstream_identity WHERE account_id IN (SELECT id FROM a))
   DELETE FROM totp WHERE account_id IN (SELECT id FROM a)`,
);

/** Deletes every passkey, the authenticator app and the linked providers of an account and ends its sessions. */
export async function deleteFactors(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(deleteStatement, [accountId]);
}

const findStatement = statement<readonly [usernameCi: string], { readonly id: number }>(
  'factors_account',
  'SELECT id FROM account WHERE username_ci = $1 FOR NO KEY UPDATE',
);

/** Like `deleteFactors`, by username in any case. Returns the account's id, or undefined if it does not exist. */
export async function deleteFactorsByUsername(tx: Queryable, username: string): Promise<number | undefined> {
  const [row] = await tx.query(findStatement, [username.toLowerCase()]);
  if (row !== undefined) await deleteFactors(tx, row.id);
  return row?.id;
}
