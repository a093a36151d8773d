import { isErasable } from '@linnet/accounts/deletion-period';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { accountsToArchive, accountsToRestore, movedAccounts } from './archive-store.ts';

const pendingStatement = statement<readonly [], { readonly pending: boolean }>(
  'deletions_pending',
  `SELECT EXISTS (${accountsToRestore}) OR EXISTS (${accountsToArchive}) OR EXISTS (${movedAccounts}) OR EXISTS (
     SELECT 1 FROM account a WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND ${isErasable('a')}) AS pending`,
);

/** Whether accounts wait to be restored, archived or erased. */
export async function arePending(db: Queryable): Promise<boolean> {
  return requireRow(await db.query(pendingStatement, []), pendingStatement).pending;
}
