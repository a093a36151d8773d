import type { SearchQuery } from '@linnet/contract/search-query';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow } from '@linnet/db/statement/statement';
import { firstIdAt } from '@linnet/db/text/id-time';
import { mediaWord, toSearchPhrase } from '@linnet/db/text/search-words';

import { unmutedPostsFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { meets } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { maxListedPosts, toPostsPage } from '../list-of-posts/listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from '../list-of-posts/listed-post-row.ts';
import { afterAllIds, lateralPost, postColumns, selectListed } from '../list-of-posts/listed-post-sql.ts';
import { firstOf } from '../list/page-sql.ts';
import type { PageSql, Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';

/** SQL of searches for posts. Their statements take the parameters below after those of the page. */
const words = '$4::tsquery';
const [sinceId, beforeId, viewer] = ['$5::bigint', '$6::bigint', '$7::bigint'];

/** SQL condition on `i.id`: was the post written in the time that is searched? */
const isInTime = `i.id >= ${sinceId} AND i.id < ${beforeId}`;

/** SQL: the rows `i` of the index with the columns `id`, `author_id` and `words`. */
const indexRows = '(SELECT post_id AS id, author_id, words FROM post_search) i';

/** A search first looks at this many posts in their order, without the index of words: those with a frequent word are among them. */
const maxScanned = '5000';
/** So many of them are enough: one more than a page has. What fewer of them have is so rare that all posts with it can be read. */
const enough = '101';
/**
 * So many of them are scanned before the others, which are not scanned if these have what is needed; nor if fewer than `rareBelow` of the
 * latest match, since the word is then taken for rare.
 */
const [firstScanned, rareBelow] = ['500', '5'];

const [fetchLimit, boundary] = ['$1::bigint', '$3::bigint'];
const filter = unmutedPostsFilter(viewer);

/** SQL: the CTE `<rows>`, the first posts in this order and whether they match, and `found_<rows>`, those that may be listed. */
function selectScanned(rows: string, { where, limit, order }: Slice): string {
  return `${rows} AS MATERIALIZED (
      SELECT id, author_id, words @@ ${words} AS matches FROM (
        SELECT * FROM ${indexRows} WHERE ${isInTime} AND ${where} ORDER BY i.id ${order} LIMIT ${limit}
      ) scanned
    ), ${selectFound(rows)}`;
}

/** SQL: the CTE `found_<rows>`, those of the CTE `rows` that match and may be listed. Look-ups of authors ignore duplicates. */
function selectFound(rows: string): string {
  return `authors_${rows} AS MATERIALIZED (SELECT ARRAY(SELECT author_id FROM ${rows} WHERE matches) AS ids),
    excluded_${rows} AS MATERIALIZED (${filter.selectExcluded(`(SELECT ids FROM authors_${rows})::bigint[]`)}), found_${rows} AS MATERIALIZED (
      SELECT id FROM ${rows} WHERE matches AND author_id NOT IN (SELECT id FROM excluded_${rows})
    )`;
}

interface Others extends Slice {
  /** SQL: how many of the first must be found, so that the others are not scanned. */
  readonly needed: string;
}

/** SQL: the CTEs `<rows>` and `found_<rows>` of the CTEs `<rows>_first` and, if these have too few, of the others up to `limit`. */
function selectOthers(rows: string, { where, limit, order, needed }: Others): string {
  const following =
    order === 'DESC' ? `i.id < (SELECT min(id) FROM ${rows}_first)` : `i.id > (SELECT max(id) FROM ${rows}_first)`;
  const left = `(SELECT CASE WHEN count(*) >= ${needed} THEN 0 ELSE ${limit} END FROM found_${rows}_first)`;
  return `${selectScanned(`${rows}_others`, { where: `${where} AND ${following}`, limit: left, order })},
    ${rows} AS MATERIALIZED (SELECT id FROM ${rows}_first UNION ALL SELECT id FROM ${rows}_others),
    found_${rows} AS MATERIALIZED (SELECT id FROM found_${rows}_first UNION ALL SELECT id FROM found_${rows}_others)`;
}

/** SQL: a limit of rows, or 0 if the word seems rare. */
const unlessRare = (limit: string) => `(SELECT CASE WHEN rare THEN 0 ELSE ${limit} END FROM seems)`;

/** SQL: the CTEs `latest` and `found_latest`, and `seems`: is the word `rare` among the first of these? */
const selectLatest = `${selectScanned('latest_first', { where: 'true', limit: firstScanned, order: 'DESC' })},
    seems AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE matches) < ${rareBelow} AND count(*) = ${firstScanned} AS rare FROM latest_first
    ), ${selectOthers('latest', { where: 'true', limit: unlessRare(`${maxScanned} - ${firstScanned}`), order: 'DESC', needed: enough })}`;

/** SQL condition: has the CTE `rows` what is needed, or all there is? */
function isEnough(rows: string, needed: string): string {
  return `(SELECT NOT rare FROM seems) AND ((SELECT count(*) FROM found_${rows}) >= ${needed} OR (SELECT count(*) FROM ${rows}) < ${maxScanned})`;
}

/** SQL: the CTE `old`. What seemed rare may be frequent among all latest posts. `since` is then the oldest of these, otherwise 0. */
const selectOld = `old AS MATERIALIZED (
      SELECT CASE WHEN (SELECT count(*) FROM found_rare WHERE id >= oldest.id) >= ${enough} THEN oldest.id ELSE 0 END AS since FROM (
        SELECT COALESCE((SELECT i.id FROM ${indexRows} WHERE (SELECT rare FROM seems) AND (SELECT count(*) FROM found_rare) >= ${enough} AND ${isInTime}
          ORDER BY i.id DESC OFFSET ${maxScanned} - 1 LIMIT 1), 0) AS id
      ) oldest
    )`;

/** SQL: the CTE `near` of a page that starts at a cursor: the first posts from there on. */
function selectNear(order: Slice['order']): string {
  const where = order === 'DESC' ? `i.id < ${boundary}` : `i.id > ${boundary}`;
  return `${selectScanned('near_first', { where, limit: unlessRare(firstScanned), order })},
    ${selectOthers('near', { where, limit: unlessRare(`${maxScanned} - ${firstScanned}`), order, needed: fetchLimit })}`;
}

/**
 * SQL: the CTE `matched` with ids of posts that match, and what it is made of. It has those of the page; and of all others either all,
 * or those among the latest posts.
 *
 * A posting list of the index has no order, so to find the latest posts with a frequent word would read all posts with it. What the
 * latest posts do not have often is read from the index (`rare`).
 */
function selectMatched({ isCursor, order }: Pick<PageSql, 'isCursor' | 'order'>): string {
  const isScanned = '(SELECT "isFrequent" AND "isNear" FROM frequent)';
  return `${selectLatest}, ${isCursor ? `${selectNear(order)},` : ''}
    frequent AS MATERIALIZED (
      SELECT ${isEnough('latest', enough)} AS "isFrequent", ${isCursor ? isEnough('near', fetchLimit) : 'true'} AS "isNear"
    ), rare AS MATERIALIZED (
      SELECT id, author_id, true AS matches FROM (
        SELECT post_id AS id, author_id FROM post_search WHERE words @@ ${words} OFFSET 0
      ) i WHERE NOT ${isScanned} AND ${isInTime}
    ), ${selectFound('rare')}, ${selectOld}, matched AS MATERIALIZED (
      SELECT id FROM found_latest WHERE ${isScanned}
      ${isCursor ? `UNION ALL SELECT id FROM found_near WHERE ${isScanned} AND id < (SELECT min(id) FROM latest)` : ''}
      UNION ALL SELECT id FROM found_rare${isCursor ? '' : ' WHERE id >= (SELECT since FROM old)'}
    )`;
}

/** SQL: the number of posts that match; of what is frequent, those among the latest. */
const countMatched = `(SELECT CASE WHEN "isFrequent" THEN (SELECT count(*) FROM found_latest)
    ELSE (SELECT count(*) FROM found_rare WHERE id >= (SELECT since FROM old)) END FROM frequent)`;

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
  text: ({ isCursor, edge, page, hasPreceding, order }) => `
    WITH ${selectMatched({ isCursor, order })}, ${edge}, ${selectPosts(page, order)}
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
      SELECT id FROM account a WHERE username_ci = $8::text AND ${meets(viewer, 'a')}
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
