import { EditedResponse, JsonText } from '@linnet/contract/json-text';
import type { ListedPost } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/database';

import type { MarkedPosts } from '../account/viewer-marks.ts';
import type { ViewContext } from '../view-context.ts';
import type { PostsPage } from './listed-post-row.ts';
import { createItemWriters } from './listed-post-text.ts';
import { markBody } from './marked-body.ts';
import type { PostPartsMemory } from './post-parts-store.ts';

/** Builds the response of a list of posts and reposts, with its items as JSON text. */
export type ListedPostsView = (db: Queryable, page: PostsPage) => Promise<ListResponse | EditedResponse<ListResponse>>;

interface ListResponse {
  readonly total: number;
  readonly count: number;
  readonly items: JsonText<ListedPost[]>;
  readonly next?: string;
  readonly prev?: string;
}

interface ListedPosts {
  readonly response: ListResponse;
  /** Of the posts, in the order of the items. */
  readonly ids: readonly number[];
}

/** `memory` holds the parts of each version of a post; everything else is in the page. */
export function createListedPostsView(context: ViewContext, memory: PostPartsMemory): ListedPostsView {
  const toItemWriter = createItemWriters(context);
  /** Responses by the items, which concurrent requests for a page share: without an account, and without marks. */
  const sharedResponses = { anonymous: createResponses(), unmarked: createResponses() };

  async function write(db: Queryable, page: PostsPage): Promise<ListedPosts> {
    const { items: rows, total, found: _f, approved: _a, marked: _m, hasNewer: _n, ...cursors } = page;
    const parts = await memory.find(db, rows);
    const writeItem = toItemWriter(page);
    const written = rows.flatMap((row) => {
      const known = parts.get(row.versionId);
      return known === undefined ? [] : [[row.id, writeItem(row, known)] as const];
    });
    const ids = written.map(([id]) => id);
    const items = new JsonText<ListedPost[]>(`[${written.map(([, text]) => text).join(',')}]`);
    return { response: { total, count: ids.length, items, ...cursors }, ids };
  }

  /** The page without marks. It is the same for all who see no further accounts. */
  async function writeUnmarked(db: Queryable, page: PostsPage): Promise<ListedPosts> {
    const { approved, marked, items } = page;
    if (approved.length > 0) return await write(db, page);
    const responses = sharedResponses[marked === undefined ? 'anonymous' : 'unmarked'];
    const shared = responses.get(items) ?? write(db, page);
    responses.set(items, shared);
    return await shared;
  }

  return async (db, page) => {
    const { response, ids } = await writeUnmarked(db, page);
    const { marked } = page;
    if (marked === undefined || hasNoMarks(marked)) return response;
    return new EditedResponse(response, (body) => markBody(body, ids, marked));
  };
}

function hasNoMarks({ liked, reposted, bookmarked, commentable }: MarkedPosts): boolean {
  return liked === null && reposted === null && bookmarked === null && commentable === null;
}

function createResponses(): WeakMap<PostsPage['items'], Promise<ListedPosts>> {
  return new WeakMap();
}
