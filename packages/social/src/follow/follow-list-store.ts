import type { Queryable } from '@linnet/db/statement/transaction';

import { accountsFilter } from '../account/account-filter.ts';
import { defineAccountList, findAccounts, listViewer } from '../account/account-list-store.ts';
import type { ListedAccountRow } from '../account/account-list-store.ts';
import type { Viewer } from '../account/visibility.ts';
import type { Page, Paged } from '../list/page.ts';

const filter = accountsFilter(listViewer);

const lists = {
  followers: defineAccountList({
    name: 'followers_list',
    table: 'follow',
    own: 'followed_id',
    other: 'follower_id',
    filter,
    counter: 'followers_count',
  }),
  following: defineAccountList({
    name: 'following_list',
    table: 'follow',
    own: 'follower_id',
    other: 'followed_id',
    filter,
    counter: 'following_count',
  }),
  requests: defineAccountList({
    name: 'follow_requests',
    table: 'follow_request',
    own: 'followed_id',
    other: 'follower_id',
    filter,
  }),
};

export type FollowListName = keyof typeof lists;

interface FollowListKey {
  readonly list: FollowListName;
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of an account's followers, of the accounts it follows, or of its follow requests, newest first.
 * `undefined`: the account does not exist, or there is a block between it and the viewer.
 */
export async function findFollows(
  db: Queryable,
  { list, accountId, viewer }: FollowListKey,
  page: Page,
): Promise<Paged<ListedAccountRow> | undefined> {
  return await findAccounts(db, { statements: lists[list], of: { accountId, viewer } }, page);
}
