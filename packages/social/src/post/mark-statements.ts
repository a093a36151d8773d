import { visibleTo } from '../account/visibility.ts';

/**
 * SQL of the marks that an account ($1) sets on a post ($2): a like, a repost. The post is locked
 * before anything is written, so that the mark, its counter and the post's own end never part.
 * Locks are taken in this order everywhere: accounts by id, posts by id, then the rows below a post.
 */
interface Mark {
  readonly table: 'post_like' | 'repost';
  /** The post's counter. */
  readonly counter: 'likes_count' | 'reposts_count';
}

const byViewer = visibleTo('$1::bigint', 'a');

/** Answers the `count` after the mark was set once, however often; no row when the account sees no such post. */
export function addMark({ table, counter }: Mark): string {
  return `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.${counter} FROM post p JOIN account a ON a.id = p.author_id JOIN account me ON me.id = $1
     WHERE p.id = $2 AND me.deleted_at IS NULL AND ${byViewer}
     FOR NO KEY UPDATE OF p
   ), added AS (
     INSERT INTO ${table} (account_id, post_id, author_id) SELECT $1, id, author_id FROM target ON CONFLICT DO NOTHING RETURNING post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} + 1 WHERE id IN (SELECT post_id FROM added)
   )
   SELECT target.${counter} + (SELECT count(*)::int FROM added) AS count FROM target`;
}

/** Answers the `count` after the mark is gone. A mark that was there goes even when its post can be seen no longer. */
export function deleteMark({ table, counter }: Mark): string {
  return `WITH target AS MATERIALIZED (
     SELECT p.id, p.${counter}, ${byViewer} AS visible FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $2
     FOR NO KEY UPDATE OF p
   ), deleted AS (
     DELETE FROM ${table} WHERE account_id = $1 AND post_id IN (SELECT id FROM target) RETURNING post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} - 1 WHERE id IN (SELECT post_id FROM deleted)
   )
   SELECT target.${counter} - (SELECT count(*)::int FROM deleted) AS count FROM target
   WHERE target.visible OR EXISTS (SELECT 1 FROM deleted)`;
}

/** Answers whether the mark is `set`; no row when the account sees no such post. */
export function findMark(table: Mark['table']): string {
  return `SELECT EXISTS (SELECT 1 FROM ${table} WHERE account_id = $1 AND post_id = p.id) AS set
   FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $2 AND ${byViewer}`;
}
