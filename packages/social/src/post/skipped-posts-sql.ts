/**
 * SQL that skips the items of an account before a page. Merging posts and reposts costs several times as much as counting posts, and
 * most accounts write more than they repost. So this counts posts, and then goes back by as many items as there are reposts among them.
 */
import { afterAllIds, selectPosts, selectReposts } from './listed-post-sql.ts';

/** SQL: the CTE `passed` with the id of the `skipped`th post. Without any to skip it is above all ids; 0: there are not so many. */
export function selectPassed(account: string, skipped: string): string {
  return `passed AS MATERIALIZED (
    SELECT CASE WHEN ${skipped} = 0 THEN ${afterAllIds} ELSE COALESCE((
      SELECT i.id FROM post i WHERE i.author_id = ${account} ORDER BY i.id DESC OFFSET GREATEST(${skipped} - 1, 0) LIMIT 1
    ), 0) END AS id
  )`;
}

/** SQL: the id of the post that has `count` posts between itself and the one in the CTE `passed`; 0: there are not so many. */
export function postAfterPassed(account: string, count: string): string {
  return `COALESCE((SELECT i.id FROM post i WHERE i.author_id = ${account} AND i.id < (SELECT id FROM passed) ORDER BY i.id DESC OFFSET ${count} LIMIT 1), 0)`;
}

interface SkippedPosts {
  readonly account: string;
  readonly offset: string;
  /** SQL: the id of the last item skipped, found by reading all of them. */
  readonly read: string;
  /** SQL condition on the repost `i`; see `filterInBatch`. */
  readonly isListed: string;
}

/** SQL: the id of the last of `offset` items, from the CTE `passed`. Null: there are not so many. */
export function skipPosts({ account, offset, read, isListed }: SkippedPosts): string {
  const reposts = {
    account,
    where: 'i.id > (SELECT id FROM passed)',
    order: 'DESC',
    limit: `${offset} / 2 + 1`,
  } as const;
  const back = {
    account,
    where: 'i.id >= (SELECT id FROM passed)',
    order: 'ASC',
    limit: 'reposts.count + 1',
  } as const;
  return `(SELECT CASE WHEN passed.id = 0 OR reposts.count > ${offset} / 2 THEN ${read} ELSE (
      SELECT id FROM (${selectPosts(back)} UNION ALL ${selectReposts(back, isListed)}) i ORDER BY id OFFSET reposts.count LIMIT 1
    ) END
    FROM passed, (SELECT count(*) FROM ${selectReposts(reposts, isListed)} i) reposts)`;
}
