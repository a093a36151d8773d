import { EditedResponse, JsonText } from '@linnet/contract/json-text';
import type { ListedPost, Post } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';

import { createAttachedValue } from './attached-value.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { createWordFilter } from '../filter/word-filter.ts';
import type { ViewContext } from '../view-context.ts';
import type { PostsPage } from './listed-post-row.ts';
import { createItemWriters } from './listed-post-text.ts';
import { addFiltered, markBody } from './marked-body.ts';
import type { PostParts, PostPartsMemory } from './post-parts-store.ts';

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
  readonly parts: readonly PostParts[];
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
      return known === undefined ? [] : [[row.id, writeItem(row, known), known] as const];
    });
    const ids = written.map(([id]) => id);
    const items = new JsonText<ListedPost[]>(`[${written.map(([, text]) => text).join(',')}]`);
    const found = written.map(([, , known]) => known);
    return { response: { total, count: ids.length, items, ...cursors }, ids, parts: found };
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
    const { response, ids, parts } = await writeUnmarked(db, page);
    const { marked } = page;
    if (marked === undefined || hasNoMarks(marked)) return response;
    const filtered = findFiltered(parts, marked);
    return new EditedResponse(response, (body) => addFiltered(markBody(body, ids, marked), filtered));
  };
}

function hasNoMarks({ liked, reposted, bookmarked, commentable, filters }: MarkedPosts): boolean {
  return [liked, reposted, bookmarked, commentable, filters].every((marks) => marks === null);
}

/** The filters that match each post of a page. Undefined: the viewer has none. */
function findFiltered(
  parts: readonly PostParts[],
  { filters }: MarkedPosts,
): readonly (readonly string[])[] | undefined {
  if (filters === null) return undefined;
  const match = createWordFilter(filters);
  return parts.map(({ authorId, written }) => {
    const { text } = JSON.parse(`{${written}}`) as Pick<Post, 'text'>; // as `toWritten` writes it
    return match({ text, authorId });
  });
}

function createResponses() {
  return createAttachedValue<PostsPage['items'], Promise<ListedPosts>>('response');
}
