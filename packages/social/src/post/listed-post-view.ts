import { JsonText } from '@linnet/contract/json-text';
import type { ListedPost } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/database';

import type { ViewContext } from '../view-context.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { createItemWriters } from './listed-post-text.ts';
import type { PostPartsMemory } from './post-parts-store.ts';

/** Builds the response of a list of posts and reposts, with its items as JSON text. */
export type ListedPostsView = (db: Queryable, page: PostsPage) => Promise<ListedPosts>;

interface ListedPosts {
  readonly total: number;
  readonly count: number;
  readonly items: JsonText<ListedPost[]>;
  readonly next?: string;
  readonly prev?: string;
}

/** `memory` holds the parts of posts that never change; everything else is in the page. */
export function createListedPostsView(context: ViewContext, memory: PostPartsMemory): ListedPostsView {
  const toItemWriter = createItemWriters(context);
  /** Responses by the row of PostgreSQL, which concurrent requests for a page share. */
  const responses = new WeakMap<ListedPostColumns, Promise<ListedPosts>>();

  async function write(db: Queryable, page: PostsPage): Promise<ListedPosts> {
    const { items: rows, total, found: _found, approved: _approved, ...cursors } = page;
    const parts = await memory.find(
      db,
      rows.map(({ id }) => id),
    );
    const writeItem = toItemWriter(page);
    const items = rows.flatMap((row) => {
      const known = parts.get(row.id);
      return known === undefined ? [] : [writeItem(row, known)];
    });
    return { total, count: items.length, items: new JsonText(`[${items.join(',')}]`), ...cursors };
  }

  return async (db, page) => {
    if (page.approved.length > 0) return await write(db, page);
    const shared = responses.get(page.found) ?? write(db, page);
    responses.set(page.found, shared);
    return await shared;
  };
}
