import { isAuthorVisible, isNotDeleted, visibleTo } from './visibility.ts';

/** How it is told whether the account that a row of a list names lets the row be listed. */
interface Judge {
  /** SQL: does the account with this id let it? */
  readonly lets: (id: string) => string;
  /** SQL: which accounts of this array do not? */
  readonly refusing: (ids: string) => string;
}

/** Rows that name an account are listed unless it is deleted. */
export const unlessDeleted: Judge = {
  lets: isNotDeleted,
  refusing: (ids) => `SELECT gone.id FROM account gone WHERE gone.id = ANY (${ids}) AND gone.deleted_at IS NOT NULL`,
};

/** Rows that name the author of a post are listed if `viewer` may see it. */
export function ifVisibleTo(viewer: string): Judge {
  return {
    lets: (id) => isAuthorVisible(viewer, id),
    refusing: (ids) => `SELECT hidden.id FROM account hidden WHERE hidden.id = ANY (${ids})
      AND (hidden.protected OR hidden.deleted_at IS NOT NULL) AND ${visibleTo(viewer, 'hidden')} IS NOT TRUE`,
  };
}

interface JudgedRows {
  /** CTEs that `isListed` refers to; so many of the `latest` rows are judged together, of those after the id `from`. */
  readonly ctes: (latest: string, from?: string) => string;
  /** SQL: may the row `i` be listed? */
  readonly isListed: string;
}

/**
 * Judges the rows of a list that a page passes over: the accounts that the latest of them name are looked up at one
 * go, in an index that is read once from end to end at most; those of older rows one by one. `rows`: SQL from FROM
 * to the end of WHERE, of a table `i` whose column `id` orders the list; `other`: the column that names an account.
 */
export function judgedTogether(judge: Judge, rows: string, other: string): JudgedRows {
  return {
    ctes: (latest, from = '0') => `judged AS MATERIALIZED (
      SELECT min(i.id) AS since, array_agg(i.${other}) AS named
      FROM (SELECT i.id, i.${other} ${rows} AND i.id > ${from} ORDER BY i.id DESC LIMIT ${latest}) i
    ), refusing AS MATERIALIZED (${judge.refusing('(SELECT named FROM judged)::bigint[]')})`,
    isListed: `CASE WHEN i.id >= (SELECT since FROM judged) THEN i.${other} NOT IN (SELECT id FROM refusing)
      ELSE ${judge.lets(`i.${other}`)} END`,
  };
}
