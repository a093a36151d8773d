import type { Account, ListedPost } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import type { ListedPostRow } from './listed-post-row.ts';
import { toPostWithAuthor } from './post-view.ts';

/**
 * Creates a function that builds the items of one list. `subject` is the account whose list it is, if it has one. The
 * object of an account is built once and shared by all items.
 */
export function createListedPostView(context: ViewContext, subject?: AccountRow): (row: ListedPostRow) => ListedPost {
  const accounts = new Map<number, Account>();
  function getAccount(row: AccountRow): Account {
    const account = accounts.get(row.id) ?? toAccount(row, context);
    accounts.set(row.id, account);
    return account;
  }
  function requireSubject(): AccountRow {
    if (subject === undefined) throw new Error('a row lacks its account, and the list has no subject');
    return subject;
  }

  return (row) => {
    const author = row['author.id'] === null ? requireSubject() : toAuthor(row);
    const post = toPostWithAuthor(row, getAccount(author), context);
    if (row.repostedAt === null) return post;
    const repost = {
      id: row.itemId,
      user: getAccount(row.reposter ?? requireSubject()),
      created: toCreated(row.repostedAt),
      created_at: row.repostedAt.toISOString(),
    };
    return { ...post, repost };
  };
}
