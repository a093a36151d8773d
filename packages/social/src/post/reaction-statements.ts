import { visibleTo } from '../account/visibility.ts';

/**
 * SQL for a reaction of an account ($1) to a post ($2): a like or a repost. The post is locked before anything is
 * written, so that the reaction and its counter stay consistent even while the post is being deleted.
 * Every statement takes locks in this order: accounts by id, posts by id, then the rows below a post.
 */
interface Reaction {
  readonly table: 'post_like' | 'repost';
  /** The post's counter. */
  readonly counter: 'likes_count' | 'reposts_count';
}

const visibleToAccount = visibleTo('$1::bigint', 'a');

/** SQL: adds the reaction unless it exists, and returns the new `count`; no row if the account cannot see the post. */
export function addReactionSql({ table, counter }: Reaction): string {
  return `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.${counter} FROM post p JOIN account a ON a.id = p.author_id JOIN account me ON me.id = $1
     WHERE p.id = $2 AND me.deleted_at IS NULL AND ${visibleToAccount}
     FOR NO KEY UPDATE OF p
   ), added AS (
     INSERT INTO ${table} (account_id, post_id, author_id) SELECT $1, id, author_id FROM target ON CONFLICT DO NOTHING RETURNING post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} + 1 WHERE id IN (SELECT post_id FROM added)
   )
   SELECT target.${counter} + (SELECT count(*)::int FROM added) AS count FROM target`;
}

/**
 * SQL: deletes the reaction and returns the new `count`. An existing reaction is deleted even when the account can no
 * longer see the post; without one, there is no row if the account cannot see the post.
 */
export function deleteReactionSql({ table, counter }: Reaction): string {
  return `WITH target AS MATERIALIZED (
     SELECT p.id, p.${counter}, ${visibleToAccount} AS visible FROM post p JOIN account a ON a.id = p.author_id
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

/** SQL: returns whether the reaction `exists`; no row if the account cannot see the post. */
export function findReactionSql(table: Reaction['table']): string {
  return `SELECT EXISTS (SELECT 1 FROM ${table} WHERE account_id = $1 AND post_id = p.id) AS exists
   FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $2 AND ${visibleToAccount}`;
}
