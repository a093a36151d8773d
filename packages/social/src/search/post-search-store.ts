import type { SearchQuery } from '@linnet/contract/search-query';
import type { Queryable } from '@linnet/db/database';
import { firstIdAt } from '@linnet/db/text/id-time';
import { mediaWord, toSearchPhrase } from '@linnet/db/text/search-words';
import { requireRow } from '@linnet/db/statement/statement';

import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { maxListedPosts, toPostsPage } from '../post/listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from '../post/listed-post-row.ts';
import { afterAllIds, lateralPost, postColumns, selectListed } from '../post/listed-post-sql.ts';
import { countMatched, indexRows, isInTime, mayHaveOlder, selectMatched, viewer, words } from './post-search-sql.ts';

type Params = readonly [words: string | null, since: number, before: number, viewer: Viewer];
type FoundRow = ListedPostColumns & MarkedPosts;

/** SQL: the CTE `listed` of the posts with the ids in `rows`. */
const selectPosts = (rows: string, order: Slice['order']) => `listed AS MATERIALIZED (
    SELECT i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('p')}
    FROM (${rows}) i, ${lateralPost('i.id')} p ORDER BY i.id ${order}
  )`;

const byWords = listStatements<Params, FoundRow>({
  name: 'post_search',
  source: ({ where }) => `SELECT i.id FROM matched i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${selectMatched(order)}, ${edge}, ${selectPosts(page, order)}
    SELECT ${markedPostsColumns(viewer)}, ${countMatched}::int AS total,
      (${hasPreceding}${order === 'ASC' ? ` OR ${mayHaveOlder}` : ''}) AS "hasPreceding", listed.*
    FROM (${selectListed(viewer)}) listed`,
});

/** A search with `from:` looks at this many posts of the account. */
const maxScannedOfAuthor = '20000';

const ofAuthor = ({ where, order, limit }: Slice) => `(SELECT i.id FROM (
    SELECT i.id, i.words FROM ${indexRows}
    WHERE i.author_id = (SELECT id FROM author) AND ${isInTime} AND ${where} ORDER BY i.id ${order} LIMIT ${maxScannedOfAuthor}
  ) i WHERE ${words} IS NULL OR i.words @@ ${words} ORDER BY i.id ${order} LIMIT ${limit})`;

const byAuthor = listStatements<readonly [...Params, authorName: string], FoundRow>({
  name: 'post_search_of_author',
  source: ofAuthor,
  window: maxListedPosts,
  text: ({ edge, start, slice, hasPreceding, order }) => `
    WITH author AS MATERIALIZED (
      SELECT id FROM account a WHERE username_ci = $8::text AND ${visibleTo(viewer, 'a')}
    ), ${edge}, ${start}, ${selectPosts(firstOf(ofAuthor(slice), { order }), order)}
    SELECT ${markedPostsColumns(viewer)}, ${hasPreceding} AS "hasPreceding", listed.*,
      (SELECT count(*) FROM ${ofAuthor({ where: 'true', order: 'DESC', limit: String(maxListedPosts) })} counted)::int AS total
    FROM (${selectListed(viewer)}) listed`,
});

/** The text of a `tsquery`; null: the text of the post does not matter. */
function toWords({ phrases, excluded, hasMedia }: SearchQuery): string | null {
  const wanted = phrases.map(toSearchPhrase);
  // What consists of signs alone is in no text.
  if (wanted.includes(undefined)) return '';
  const unwanted = excluded.flatMap((phrase) => toSearchPhrase(phrase) ?? []).map((phrase) => `!${phrase}`);
  const all = [...wanted, ...unwanted, ...(hasMedia ? [`'${mediaWord}'`] : [])];
  return all.length === 0 ? null : all.join(' & ');
}

interface PostSearch {
  readonly query: SearchQuery;
  readonly viewer: Viewer;
}

/**
 * Returns a page of the posts that a search finds and the viewer may see, newest first. A search engine beside PostgreSQL would
 * implement this type: it finds ids, and leaves to `account/visibility.ts` who may see what.
 */
export type FindPostsBySearch = (db: Queryable, search: PostSearch, page: Page) => Promise<PostsPage>;

/** Finds posts with the index of words in PostgreSQL. */
export const findPostsBySearch: FindPostsBySearch = async (db, { query, viewer: reader }, page) => {
  const { author, since, before } = query;
  const limits = [
    since === undefined ? 0 : firstIdAt(new Date(since)),
    before === undefined ? Number(afterAllIds) : firstIdAt(new Date(before)),
  ] as const;
  const params: Params = [toWords(query), ...limits, reader];
  const rows =
    author === undefined
      ? await findRows(db, byWords, { page, params })
      : await findRows(db, byAuthor, { page, params: [...params, author.toLowerCase()] });
  const found = requireRow(rows, byWords[page.from]);
  return toPostsPage(found, page, { marked: reader === null ? undefined : found });
};
