import type { Account, ListedPost } from '@linnet/contract/objects';

import { authorOf } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { Wire } from '../wire.ts';
import type { ListedPostRow } from './listed-post-row.ts';
import { toPostBy } from './post-view.ts';

/**
 * Builds the posts of one list. `subject` is the account whose list it is; each account object is
 * built once, however many posts show it.
 */
export function createListedPostView(wire: Wire, subject?: AccountRow): (row: ListedPostRow) => ListedPost {
  const accounts = new Map<number, Account>();
  function accountOnce(row: AccountRow): Account {
    const built = accounts.get(row.id) ?? toAccount(row, wire);
    accounts.set(row.id, built);
    return built;
  }
  function ofSubject(): AccountRow {
    if (subject === undefined) throw new Error('a row without its account in a list of nobody');
    return subject;
  }

  return (row) => {
    const author = row['author.id'] === null ? ofSubject() : authorOf(row);
    const post = toPostBy(row, accountOnce(author), wire);
    if (row.repostedAt === null) return post;
    const repost = {
      id: row.itemId,
      user: accountOnce(row.reposter ?? ofSubject()),
      created: toCreated(row.repostedAt),
      created_at: row.repostedAt.toISOString(),
    };
    return { ...post, repost };
  };
}
