import type { MutedAccount } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';

import { notHiddenFilter } from '../account/account-filter.ts';
import { defineAccountList, findAccounts } from '../account/account-list-store.ts';
import type { ListedAccountRow } from '../account/account-list-store.ts';
import { toMarkedAccount } from '../account/account-view.ts';
import type { Page, Paged } from '../list/page.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';

const addStatement = statement<
  readonly [muterId: number, mutedId: number, endsAt: Date | null],
  { readonly one: number }
>(
  'mute_add',
  `WITH target AS (
     SELECT id FROM account WHERE id = $2 AND hidden_at IS NULL
   ), added AS (
     INSERT INTO mute (id, muter_id, muted_id, ends_at)
     SELECT next_id(me.id), me.id, target.id, $3::timestamptz FROM target, account me WHERE me.id = $1 AND me.hidden_at IS NULL
     ON CONFLICT (muter_id, muted_id) DO UPDATE SET ends_at = excluded.ends_at
   )
   SELECT 1 AS one FROM target`,
);

interface NewMute {
  readonly muterId: number;
  readonly mutedId: number;
  /** Undefined: until it is removed. */
  readonly endsAt: Date | undefined;
}

/** Mutes an account, or changes when its mute ends. Returns whether the account exists. */
export async function addMute(db: Queryable, { muterId, mutedId, endsAt }: NewMute): Promise<boolean> {
  const rows = await db.query(addStatement, [muterId, mutedId, endsAt ?? null]);
  return rows.length > 0;
}

const removeStatement = statement<readonly [muterId: number, mutedId: number], { readonly one: number }>(
  'mute_remove',
  `WITH removed AS (
     DELETE FROM mute WHERE muter_id = $1 AND muted_id = $2
   )
   SELECT 1 AS one FROM account WHERE id = $2 AND hidden_at IS NULL`,
);

/** Ends a mute, if there is one. Returns whether the account exists. */
export async function removeMute(db: Queryable, muterId: number, mutedId: number): Promise<boolean> {
  const rows = await db.query(removeStatement, [muterId, mutedId]);
  return rows.length > 0;
}

/** Deletes mutes that have ended. */
export const sweepMutes = createSweep('mute', { table: 'mute', where: 'ends_at <= now()' });

const statements = defineAccountList({
  name: 'mute_list',
  table: 'mute',
  own: 'muter_id',
  other: 'muted_id',
  filter: notHiddenFilter,
  condition: '(i.ends_at IS NULL OR i.ends_at > now())',
  endsAt: '(SELECT ends_at FROM mute WHERE muter_id = $4 AND muted_id = i.other_id)',
});

/** Returns a page of the accounts that an account mutes, newest mute first. `undefined`: the account does not exist. */
export async function findMutes(
  db: Queryable,
  accountId: number,
  page: Page,
): Promise<Paged<ListedAccountRow> | undefined> {
  return await findAccounts(db, { statements, of: { accountId, viewer: accountId } }, page);
}

/** Builds the account object of `GET /mutes`. */
export function toMutedAccount(row: ListedAccountRow, context: ViewContext): MutedAccount {
  const account = toMarkedAccount(row, context);
  if (row.endsAt === null) return account;
  return { ...account, mute: { ends: toCreated(row.endsAt), ends_at: row.endsAt.toISOString() } };
}
