import type { Queryable } from '@linnet/db/database';

import { notDeletedFilter } from '../account/account-filter.ts';
import { defineAccountList, findAccounts } from '../account/account-list-store.ts';
import type { ListedAccountRow } from '../account/account-list-store.ts';
import type { Page, Paged } from '../list/page.ts';

const statements = defineAccountList({
  name: 'block_list',
  table: 'block',
  own: 'blocker_id',
  other: 'blocked_id',
  filter: notDeletedFilter,
});

/** Returns a page of the accounts that an account blocks, newest block first. `undefined`: the account does not exist. */
export async function findBlocks(
  db: Queryable,
  accountId: number,
  page: Page,
): Promise<Paged<ListedAccountRow> | undefined> {
  return await findAccounts(db, { statements, of: { accountId, viewer: accountId } }, page);
}
