/** SQL for a page of a feed whose items are among the latest of the whole service. */
import { selectSilenced } from './feed-reader-sql.ts';
import { isAnyId } from './listed-post-sql.ts';

/** So many of the latest posts of the whole service are looked at, and at most as many reposts. */
export const sampleSize = 500;
const sample = String(sampleSize);
/** Items that may turn out to be invisible, beyond those that are needed. */
const spare = 10;

/** SQL: the CTE `sample`. It does not depend on the reader, so a statement for several readers reads it once. */
export const selectSample = `
  sample AS MATERIALIZED (SELECT id, author_id FROM post ORDER BY id DESC LIMIT ${sample})`;

/**
 * SQL: the CTE `recent`, the latest posts and reposts of the whole service, newest first. None that is newer than its last
 * one is missing. Like `sample`, it is read once.
 */
const selectRecent = `
  ${selectSample}, sampled_reposts AS MATERIALIZED (
    SELECT account_id, id, post_id, author_id FROM repost WHERE id > (SELECT min(id) FROM sample) AND ${isAnyId('id')}
    ORDER BY id DESC LIMIT ${sample}
  ), recent AS MATERIALIZED (
    SELECT author_id AS account_id, id, id AS post_id, author_id FROM sample
    WHERE id >= (SELECT CASE WHEN count(*) < ${sample} THEN 0 ELSE min(id) END FROM sampled_reposts)
    UNION ALL SELECT * FROM sampled_reposts ORDER BY id DESC
  )`;

const isFollowed = (id: string) => `(${id} IN (SELECT id FROM followed)) IS TRUE`;

const all = (needed: string) => `${needed} + ${String(spare)}`;

/**
 * SQL: CTEs up to `item`, which holds the `needed` latest items of the feed, and `found`, which says whether `recent` has
 * them. If not, `item` is empty. They read the CTEs `muted` and `followed`.
 */
export const selectRecentItems = (needed: string): string => `
  ${selectRecent}, own_recent AS MATERIALIZED (
    SELECT * FROM recent i WHERE ${isFollowed('i.account_id')} ORDER BY id DESC LIMIT ${all(needed)}
  ), hidden AS MATERIALIZED (
    SELECT id FROM account
    WHERE id = ANY (ARRAY(SELECT author_id FROM own_recent UNION ALL SELECT account_id FROM own_recent))
      AND (protected OR deleted_at IS NOT NULL) AND (deleted_at IS NOT NULL OR NOT ${isFollowed('id')})
    UNION ALL ${selectSilenced('ARRAY(SELECT author_id FROM own_recent)')}
  ), visible AS MATERIALIZED (
    SELECT * FROM own_recent
    WHERE author_id NOT IN (SELECT id FROM hidden) AND account_id NOT IN (SELECT id FROM hidden)
    ORDER BY id DESC LIMIT ${needed}
  ), found AS MATERIALIZED (
    SELECT is_complete, is_complete AS "isRecent" FROM (
      SELECT (SELECT count(*) FROM visible) >= ${needed} OR (SELECT count(*) FROM own_recent) < ${all(needed)}
        AND (SELECT count(*) FROM sample) < ${sample} AND (SELECT count(*) FROM sampled_reposts) < ${sample} AS is_complete
    ) found
  ), item AS MATERIALIZED (
    SELECT * FROM visible WHERE (SELECT is_complete FROM found)
  )`;
