/**
 * Likes, reposts and bookmarks: reactions of an account ($1) to a post ($2). The post is locked before anything is written, so that
 * the reaction and its counter stay consistent even while the post is being deleted.
 * Every statement takes locks in this order: accounts by id, posts by id, then the rows below a post.
 */

import type { Queryable } from '@linnet/db/statement/transaction';
import { batchNumber, batchedWrite, statement } from '@linnet/db/statement/statement';

import { lateralAccount } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import { postRow } from '../record.ts';

interface ReactionColumns {
  /** The first part of the names of its statements. */
  readonly name: string;
  readonly table: 'post_like' | 'repost' | 'bookmark';
  /** The post's counter. */
  readonly counter: 'likes_count' | 'reposts_count' | 'bookmarks_count';
  /** In whose shard it is: of the account, or of the author of the post. */
  readonly shardOf: 'account_id' | 'author_id';
}

interface ReactionStore {
  /**
   * Adds the reaction unless it exists. Returns the post's number of reactions.
   * `undefined`: the post does not exist or is hidden from the account.
   */
  add(db: Queryable, accountId: number, postId: number): Promise<number | undefined>;
  /**
   * Deletes the reaction, even to a post that the account can no longer see. Returns the post's number of reactions.
   * `undefined`: there is no reaction, and the post does not exist or is hidden from the account.
   */
  delete(db: Queryable, accountId: number, postId: number): Promise<number | undefined>;
  /** `undefined`: the post does not exist or is hidden from the account. */
  exists(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined>;
}

type Params = readonly [accountId: number, postId: number];

/** Declares the statements of a reaction. Call it once per reaction. */
function defineReactionStore(columns: ReactionColumns): ReactionStore {
  const addStatement = batchedWrite<Params, { count: number }>(`${columns.name}_add`, {
    text: addSql(columns),
    columns: ['account_id bigint', 'post_id bigint'],
    batchText: addBatchSql(columns),
    lock: ([, postId]) => postRow(postId),
  });
  const deleteStatement = batchedWrite<Params, { count: number }>(`${columns.name}_delete`, {
    text: deleteSql(columns),
    columns: ['account_id bigint', 'post_id bigint'],
    batchText: deleteBatchSql(columns),
    lock: ([, postId]) => postRow(postId),
  });
  const findStatement = statement<Params, { exists: boolean }>(`${columns.name}_find`, findSql(columns));
  return {
    add: async (db, accountId, postId) => (await db.query(addStatement, [accountId, postId]))[0]?.count,
    delete: async (db, accountId, postId) => (await db.query(deleteStatement, [accountId, postId]))[0]?.count,
    exists: async (db, accountId, postId) => (await db.query(findStatement, [accountId, postId]))[0]?.exists,
  };
}

const visibleToAccount = visibleTo('$1::bigint', 'a');

function addSql({ table, counter, shardOf }: ReactionColumns): string {
  return `WITH target AS MATERIALIZED (
     SELECT me.id AS account_id, p.id, p.author_id, p.${counter} FROM post p JOIN account a ON a.id = p.author_id JOIN account me ON me.id = $1
     WHERE p.id = $2 AND me.hidden_at IS NULL AND ${visibleToAccount}
     FOR NO KEY UPDATE OF p
   ), added AS (
     INSERT INTO ${table} (id, account_id, post_id, author_id) SELECT next_id(${shardOf}), account_id, id, author_id FROM target
     ON CONFLICT DO NOTHING RETURNING post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} + 1 WHERE id IN (SELECT post_id FROM added)
   )
   SELECT target.${counter} + (SELECT count(*)::int FROM added) AS count FROM target`;
}

/**
 * Several reactions at once. Each call returns the number of reactions after it and the calls before it. The posts are
 * locked in the order of their ids, each once and changed once, however many reactions it gets.
 */
function addBatchSql({ table, counter, shardOf }: ReactionColumns): string {
  return `wanted AS MATERIALIZED (
     SELECT batch.*, row_number() OVER (PARTITION BY account_id, post_id ORDER BY number) = 1 AS is_first
     FROM batch JOIN post p ON p.id = post_id JOIN ${lateralAccount('p.author_id')} a ON true
       JOIN ${lateralAccount('account_id')} me ON true
     WHERE me.hidden_at IS NULL AND ${visibleTo('account_id', 'a')}
   ), target AS MATERIALIZED (
     SELECT id, author_id, ${counter} FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM wanted)) ORDER BY id FOR NO KEY UPDATE
   ), added AS (
     INSERT INTO ${table} (id, account_id, post_id, author_id)
     SELECT next_id(${shardOf}), account_id, post_id, author_id FROM wanted JOIN target ON target.id = post_id WHERE is_first ORDER BY number
     ON CONFLICT DO NOTHING RETURNING account_id, post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} + new.count
     FROM (SELECT post_id, count(*)::int AS count FROM added GROUP BY post_id) new WHERE id = new.post_id
   )
   SELECT number AS "${batchNumber}", target.${counter} + (
       count(added.post_id) FILTER (WHERE is_first) OVER (PARTITION BY wanted.post_id ORDER BY number)
     )::int AS count
   FROM wanted JOIN target ON target.id = wanted.post_id
   LEFT JOIN added ON added.account_id = wanted.account_id AND added.post_id = wanted.post_id`;
}

function deleteSql({ table, counter }: ReactionColumns): string {
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

/**
 * Several deletions at once, as in `addBatchSql`. A call whose reaction does not exist returns a number only if its
 * account can see the post.
 */
function deleteBatchSql({ table, counter }: ReactionColumns): string {
  return `wanted AS MATERIALIZED (
     SELECT batch.*, row_number() OVER (PARTITION BY account_id, post_id ORDER BY number) = 1 AS is_first,
       ${visibleTo('account_id', 'a')} AS visible
     FROM batch JOIN post p ON p.id = post_id JOIN ${lateralAccount('p.author_id')} a ON true
   ), target AS MATERIALIZED (
     SELECT id, ${counter} FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM wanted)) ORDER BY id FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM ${table} r USING wanted JOIN target ON target.id = wanted.post_id
     WHERE r.account_id = wanted.account_id AND r.post_id = wanted.post_id AND is_first
     RETURNING r.account_id, r.post_id
   ), counted AS (
     UPDATE post SET ${counter} = ${counter} - old.count
     FROM (SELECT post_id, count(*)::int AS count FROM deleted GROUP BY post_id) old WHERE id = old.post_id
   )
   SELECT "${batchNumber}", count FROM (
     SELECT number AS "${batchNumber}", visible, is_first AND deleted.post_id IS NOT NULL AS is_deleted, target.${counter} - (
         count(deleted.post_id) FILTER (WHERE is_first) OVER (PARTITION BY wanted.post_id ORDER BY number)
       )::int AS count
     FROM wanted JOIN target ON target.id = wanted.post_id
     LEFT JOIN deleted ON deleted.account_id = wanted.account_id AND deleted.post_id = wanted.post_id
   ) counts WHERE visible OR is_deleted`;
}

function findSql({ table }: ReactionColumns): string {
  return `SELECT EXISTS (SELECT 1 FROM ${table} WHERE account_id = $1 AND post_id = p.id) AS exists
   FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $2 AND ${visibleToAccount}`;
}

export const bookmarks: ReactionStore = defineReactionStore({
  name: 'bookmark',
  table: 'bookmark',
  counter: 'bookmarks_count',
  shardOf: 'account_id',
});

export const likes: ReactionStore = defineReactionStore({
  name: 'like',
  table: 'post_like',
  counter: 'likes_count',
  shardOf: 'author_id',
});

export const reposts: ReactionStore = defineReactionStore({
  name: 'repost',
  table: 'repost',
  counter: 'reposts_count',
  shardOf: 'account_id',
});
