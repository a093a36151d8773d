import type { SearchQuery } from '@linnet/contract/search-query';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow } from '@linnet/db/statement/statement';
import { firstIdAt } from '@linnet/db/text/id-time';
import { mediaWord, toSearchPhrase } from '@linnet/db/text/search-words';

import { unmutedPostsFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { maxListedPosts, toPostsPage } from '../list-of-posts/listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from '../list-of-posts/listed-post-row.ts';
import { afterAllIds, lateralPost, postColumns, selectListed } from '../list-of-posts/listed-post-sql.ts';
import { firstOf } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';

/** SQL of searches for posts. Their statements take the parameters below after those of the page. */
const words = '$4::tsquery';
const [sinceId, beforeId] = ['$5::bigint', '$6::bigint'];
const viewer = '$7::bigint';

/** SQL condition on `i.id`: was the post written in the time that is searched? */
const isInTime = `i.id >= ${sinceId} AND i.id < ${beforeId}`;

/** SQL: the rows `i` of the index with the columns `id`, `author_id` and `words`. */
const indexRows = '(SELECT post_id AS id, author_id, words FROM post_search) i';

/** A search first looks at this many posts in their order, without the index of words: those with a frequent word are among them. */
const maxScanned = '5000';
/** So many of them are enough: one more than a page has. What fewer of them have is so rare that all posts with it can be read. */
const enough = '101';

const [fetchLimit, boundary] = ['$1::bigint', '$3::bigint'];
const filter = unmutedPostsFilter(viewer);

/** SQL query: the first posts in this order, and whether they match. */
function selectScanned(where: string, order: 'ASC' | 'DESC', limit = maxScanned): string {
  return `SELECT id, author_id, words @@ ${words} AS matches FROM (
      SELECT * FROM ${indexRows} WHERE ${isInTime} AND ${where} ORDER BY i.id ${order} LIMIT ${limit}
    ) scanned`;
}

/** SQL: the CTE `found_<rows>`, those of the CTE `rows` that match and may be listed. */
function selectFound(rows: string): string {
  const authors = `(SELECT array_agg(DISTINCT author_id) FROM ${rows} WHERE matches)::bigint[]`;
  return `excluded_${rows} AS MATERIALIZED (${filter.selectExcluded(authors)}), found_${rows} AS MATERIALIZED (
      SELECT id FROM ${rows} WHERE matches AND author_id NOT IN (SELECT id FROM excluded_${rows})
    )`;
}

/** SQL condition: has the CTE `rows` what is needed, or all there is? */
function isEnough(rows: string, needed: string): string {
  return `((SELECT count(*) FROM found_${rows}) >= ${needed} OR (SELECT count(*) FROM ${rows}) < ${maxScanned})`;
}

/**
 * SQL: the CTE `matched` with ids of posts that match, and what it is made of. It has those of the page; and of all others either all,
 * or those among the latest posts. `order`: of the page.
 *
 * A posting list of the index has no order, so to find the latest posts with a frequent word would read all posts with it. What the
 * latest posts do not have often is read from the index (`rare`).
 */
function selectMatched(order: 'ASC' | 'DESC'): string {
  const following = order === 'DESC' ? `i.id < ${boundary}` : `i.id > ${boundary}`;
  // The first page starts at the latest posts, which are scanned already.
  const isCursor = `CASE WHEN ${boundary} < ${afterAllIds} THEN ${maxScanned} ELSE 0 END`;
  return `latest AS MATERIALIZED (${selectScanned(`i.id < ${afterAllIds}`, 'DESC')}), ${selectFound('latest')},
    near AS MATERIALIZED (${selectScanned(following, order, isCursor)}), ${selectFound('near')},
    frequent AS MATERIALIZED (SELECT ${isEnough('latest', enough)} AS "isFrequent", ${isEnough('near', fetchLimit)} AS "isNear"),
    rare AS MATERIALIZED (
      SELECT id, author_id, true AS matches FROM (
        SELECT post_id AS id, author_id FROM post_search WHERE words @@ ${words} OFFSET 0
      ) i WHERE (SELECT NOT "isFrequent" OR NOT "isNear" FROM frequent) AND ${isInTime}
    ), ${selectFound('rare')}, matched AS MATERIALIZED (
      SELECT id FROM found_latest UNION SELECT id FROM found_near UNION SELECT id FROM found_rare
    )`;
}

/** SQL: the number of posts that match; of what is frequent, those among the latest. */
const countMatched = `(SELECT CASE WHEN "isFrequent" THEN (SELECT count(*) FROM found_latest)
    ELSE (SELECT count(*) FROM found_rare) END FROM frequent)`;

/** SQL condition: may older posts match that `matched` does not have? For a page of newer posts. */
const mayHaveOlder = `(SELECT "isFrequent" AND "isNear" AND ${boundary} < (SELECT min(id) FROM latest) FROM frequent)`;

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
