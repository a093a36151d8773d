import { JsonText } from '@linnet/contract/json-text';
import type { ListedPost } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/database';

import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { toPostMedia } from '../media/media-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { ListedPostRow, PostsPage } from './listed-post-row.ts';
import type { PostParts, PostPartsMemory } from './post-parts-store.ts';
import { toCounters } from './post-view.ts';

/** Builds the response of a list of posts and reposts, with its items as JSON text. */
export type ListedPostsView = (db: Queryable, page: PostsPage) => Promise<ListedPosts>;

interface ListedPosts {
  readonly total: number;
  readonly count: number;
  readonly items: readonly JsonText<ListedPost>[];
  readonly next?: string;
  readonly prev?: string;
}

/** `memory` holds the parts of posts that never change; everything else is in the page. */
export function createListedPostsView(context: ViewContext, memory: PostPartsMemory): ListedPostsView {
  const noMedia = JSON.stringify(toPostMedia(null, context));
  return async (db, { accounts, items: rows, total, ...cursors }) => {
    const parts = await memory.find(
      db,
      rows.map(({ id }) => id),
    );
    const texts = new Map(accounts.map((row) => [row.id, JSON.stringify(toAccount(row, context))]));
    const write = (row: ListedPostRow, { written, entities }: PostParts): JsonText<ListedPost> => {
      const { media, mentions, repostedAt } = row.details ?? { media: null, mentions: null, repostedAt: null };
      const mentioned = (mentions ?? []).map((one) => texts.get(one.id) ?? JSON.stringify(toAccount(one, context)));
      return new JsonText(
        `{${written},"user":${textOf(texts, row.authorId)},` +
          `"media":${media === null ? noMedia : JSON.stringify(toPostMedia(media, context))},${entities},` +
          `"user_definition":[${mentioned.join(',')}],"action":${JSON.stringify(toCounters(row))}` +
          `${repostedAt === null ? '' : `,"repost":${toRepost(row, new Date(repostedAt), texts)}`}}`,
      );
    };
    const items = rows.flatMap((row) => {
      const found = parts.get(row.id);
      return found === undefined ? [] : [write(row, found)];
    });
    return { total, count: items.length, items, ...cursors };
  };
}

type AccountTexts = ReadonlyMap<number, string>;

function textOf(accounts: AccountTexts, id: number): string {
  const text = accounts.get(id);
  if (text === undefined) throw new Error('a page of posts lacks an account');
  return text;
}

function toRepost({ itemId, listedById }: ListedPostRow, repostedAt: Date, accounts: AccountTexts): string {
  const time = JSON.stringify({ created: toCreated(repostedAt), created_at: repostedAt.toISOString() });
  return `{"id":${String(itemId)},"user":${textOf(accounts, listedById)},${time.slice(1)}`;
}
