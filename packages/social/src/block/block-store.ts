import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { notHiddenFilter } from '../account/account-filter.ts';
import { defineAccountList, findAccounts } from '../account/account-list-store.ts';
import type { ListedAccountRow } from '../account/account-list-store.ts';
import type { Page, Paged } from '../list/page.ts';
import { accountRow } from '../record.ts';

type Pair = readonly [blockerId: number, blockedId: number];

const lockStatement = statement<Pair, { readonly id: number }>(
  'block_lock',
  'SELECT id FROM account WHERE id IN ($1, $2) AND hidden_at IS NULL ORDER BY id FOR NO KEY UPDATE',
  ([blockerId, blockedId]) => [...new Set([accountRow(blockerId), accountRow(blockedId)])],
);

const isPair = '(follower_id = $1 AND followed_id = $2) OR (follower_id = $2 AND followed_id = $1)';

// It also deletes follows that a deletion archived, of an account that was restored a moment ago: they do not come back.
const addStatement = statement<Pair, { readonly one: number }>(
  'block_add',
  `WITH added AS (
     INSERT INTO block (id, blocker_id, blocked_id) VALUES (next_id($1), $1, $2) ON CONFLICT DO NOTHING RETURNING 1
   ), raised AS (
     SELECT count(*)::int AS blocks FROM added
   ), requests AS (
     DELETE FROM follow_request WHERE ${isPair}
   ), archived AS (
     DELETE FROM set_aside WHERE account_id IN ($1, $2) AND kind = 'follow'
       AND ((record->>'follower_id')::bigint, (record->>'followed_id')::bigint) IN (($1, $2), ($2, $1))
   ), ended AS (
     DELETE FROM follow WHERE ${isPair} RETURNING follower_id, followed_id
   ), counted AS (
     UPDATE account SET block_epoch = block_epoch + raised.blocks,
       following_count = following_count - (SELECT count(*)::int FROM ended WHERE follower_id = account.id),
       followers_count = followers_count - (SELECT count(*)::int FROM ended WHERE followed_id = account.id)
     FROM raised WHERE id IN ($1, $2)
   )
   SELECT 1 AS one`,
);

/**
 * Blocks an account: it ends the follows and follow requests between the two. Returns whether it was done; false: one of the
 * accounts does not exist. Likes, reposts and comments stay, and are hidden from the two.
 *
 * Both accounts are locked first, in the order of their ids. The second statement has a new snapshot, and so sees a follow that
 * was committed while the locks were awaited. A follow that waits for these locks sees the block (`is_blocked`).
 */
export async function addBlock(db: Transactional, blockerId: number, blockedId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const locked = await tx.query(lockStatement, [blockerId, blockedId]);
    if (locked.length < 2) return false;
    await tx.query(addStatement, [blockerId, blockedId]);
    return true;
  });
}

const removeStatement = statement<Pair, { readonly one: number }>(
  'block_remove',
  `WITH removed AS (
     DELETE FROM block WHERE blocker_id = $1 AND blocked_id = $2
   )
   SELECT 1 AS one FROM account WHERE id = $2 AND hidden_at IS NULL`,
);

/** Ends a block, if there is one. Follows that it ended do not come back. Returns whether the account exists. */
export async function removeBlock(db: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
  const rows = await db.query(removeStatement, [blockerId, blockedId]);
  return rows.length > 0;
}

const statements = defineAccountList({
  name: 'block_list',
  table: 'block',
  own: 'blocker_id',
  other: 'blocked_id',
  filter: notHiddenFilter,
});

/** Returns a page of the accounts that an account blocks, newest block first. `undefined`: the account does not exist. */
export async function findBlocks(
  db: Queryable,
  accountId: number,
  page: Page,
): Promise<Paged<ListedAccountRow> | undefined> {
  return await findAccounts(db, { statements, of: { accountId, viewer: accountId } }, page);
}
