/** SQL of searches for posts. Their statements take the parameters below after those of the page. */
import { unmutedPostsFilter } from '../account/account-filter.ts';
import { afterAllIds } from '../post/listed-post-sql.ts';

export const words = '$4::tsquery';
const [since, before] = ['$5::bigint', '$6::bigint'];
export const viewer = '$7::bigint';

/** SQL condition on `i.id`: was the post written in the time that is searched? */
export const isInTime = `i.id >= ${since} AND i.id < ${before}`;

/** SQL: the rows `i` of the index with the columns `id`, `author_id` and `words`. */
export const indexRows = '(SELECT post_id AS id, author_id, words FROM post_search) i';

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
export function selectMatched(order: 'ASC' | 'DESC'): string {
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
export const countMatched = `(SELECT CASE WHEN "isFrequent" THEN (SELECT count(*) FROM found_latest)
    ELSE (SELECT count(*) FROM found_rare) END FROM frequent)`;

/** SQL condition: may older posts match that `matched` does not have? For a page of newer posts. */
export const mayHaveOlder = `(SELECT "isFrequent" AND "isNear" AND ${boundary} < (SELECT min(id) FROM latest) FROM frequent)`;
