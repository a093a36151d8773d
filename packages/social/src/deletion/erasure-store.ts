import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { lockPosts } from './archive-store.ts';
import { deleteDependents, unlimitedDependents } from '../post/post-delete-store.ts';

type Params = readonly [accountId: number, limit: number];

interface Erased {
  readonly erased: number;
}

const deletedAccount = `SELECT id FROM account WHERE id = $1 AND deleted_at IS NOT NULL AND erased_at IS NULL`;

/** Every statement of this file ends in a SELECT without FROM, or in an aggregate: it returns one row. */
function requireRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('an erasure returned no row');
  return row;
}

/**
 * Foreign keys delete the comments, likes, reposts and bookmarks of a post with it; only the post counts them. The statement takes the
 * oldest posts, as many as have at most $3 of these together. `author` is SQL that finds the account $1, `counted` whose counter changes.
 */
function oldestPosts(name: string, { author, counted }: { readonly author: string; readonly counted: string }) {
  return statement<readonly [...Params, dependents: number], Erased & { readonly oldest: number | null }>(
    name,
    `WITH author AS MATERIALIZED (${author} FOR NO KEY UPDATE), oldest AS MATERIALIZED (
     SELECT id, sum(likes_count::bigint + reposts_count + comments_count + bookmarks_count) OVER (ORDER BY id) AS dependents
     FROM (SELECT * FROM post WHERE author_id = (SELECT id FROM author) ORDER BY id LIMIT $2) p
   ), locked AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT id FROM oldest WHERE dependents <= $3) ORDER BY id FOR UPDATE
   ), erased AS (
     DELETE FROM post WHERE id IN (SELECT id FROM locked) RETURNING 1
   ), counted AS (
     UPDATE account SET posts_count = posts_count - (SELECT count(*)::int FROM erased)
     WHERE id IN (${counted}) AND EXISTS (SELECT FROM erased)
   )
   SELECT (SELECT count(*)::int FROM erased) AS erased, (SELECT min(id) FROM oldest) AS oldest`,
  );
}

const postStatements = {
  // Nobody sees the counter again, and a wrong one must not stop the erasure.
  deleted: oldestPosts('erase_posts', { author: deletedAccount, counted: 'NULL' }),
  any: oldestPosts('remove_posts', {
    author: 'SELECT id FROM account WHERE id = $1 AND erased_at IS NULL',
    counted: 'SELECT id FROM author',
  }),
};

interface PostErasure {
  readonly accountId: number;
  /** Nothing is erased unless the account is in this state. */
  readonly state: keyof typeof postStatements;
  readonly limit: number;
  readonly dependentsPerBatch: number;
}

/**
 * Deletes at most `limit` posts with their dependents, or some dependents of a post that has more than
 * `dependentsPerBatch`. Returns how many rows it deleted; 0: the account has no posts. An interrupted erasure can be
 * continued by calling it again.
 */
export async function erasePosts(
  db: Queryable,
  { accountId, state, limit, dependentsPerBatch }: PostErasure,
): Promise<number> {
  const erase = async (most: number, dependents: number) =>
    requireRow(await db.query(postStatements[state], [accountId, most, dependents]));
  const { erased, oldest } = await erase(limit, dependentsPerBatch);
  if (erased > 0 || oldest === null) return erased;
  const deleted = await deleteDependents(db, { id: oldest, authorId: accountId, dependentsPerBatch });
  if (deleted > 0) return deleted;
  // No dependents are left, so the post can be deleted even if its counters are wrong.
  return (await erase(1, unlimitedDependents)).erased;
}

const eraseArchive = statement<Params, Erased>(
  'erase_archive',
  `WITH erased AS (
     DELETE FROM set_aside WHERE account_id = $1 AND (account_id, kind, id) IN (
       SELECT account_id, kind, id FROM set_aside WHERE account_id = (${deletedAccount}) LIMIT $2
     ) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

/** Rows about two accounts, of which either may be the one that is erased. */
function erasePairs(table: 'follow_request' | 'block' | 'mute', [own, other]: readonly [own: string, other: string]) {
  return statement<Params, Erased>(
    `erase_${table}s`,
    `WITH erased AS (
     DELETE FROM ${table} WHERE (${own}, ${other}) IN (
       (SELECT ${own}, ${other} FROM ${table} WHERE ${own} = (${deletedAccount}) LIMIT $2)
       UNION (SELECT ${own}, ${other} FROM ${table} WHERE ${other} = (${deletedAccount}) LIMIT $2)
     ) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
  );
}

// Nobody sees bookmarks or their number, so they stay while the account can be restored.
const eraseBookmarks = statement<Params, Erased>(
  'erase_bookmarks',
  `WITH batch AS MATERIALIZED (
     SELECT ctid AS row_ctid, post_id FROM bookmark WHERE account_id = (${deletedAccount}) LIMIT $2
   ), ${lockPosts('batch')}, erased AS (
     DELETE FROM bookmark WHERE ctid = ANY (ARRAY(SELECT row_ctid FROM batch)) AND account_id = $1
       AND post_id IN (SELECT id FROM locked) RETURNING post_id
   ), counted AS (
     UPDATE post p SET bookmarks_count = p.bookmarks_count - c.rows
     FROM (SELECT post_id, count(*)::int AS rows FROM erased GROUP BY post_id) c WHERE p.id = c.post_id
   )
   SELECT count(*)::int AS erased FROM erased`,
);

const eraseMentions = statement<Params, Erased>(
  'erase_mentions',
  `WITH erased AS (
     DELETE FROM mention WHERE (account_id, id) IN (
       SELECT account_id, id FROM mention WHERE account_id = (${deletedAccount}) LIMIT $2
     ) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

// A notification that another transaction is deleting at the moment is left to it.
const eraseNotifications = statement<Params, Erased>(
  'erase_notifications',
  `WITH erased AS (
     DELETE FROM notification WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM notification WHERE account_id = (${deletedAccount})
       ORDER BY account_id, kind, id LIMIT $2 FOR UPDATE SKIP LOCKED
     )) AND account_id = $1 RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseNotificationSetting = statement<Params, Erased>(
  'erase_notification_setting',
  `WITH erased AS (
     DELETE FROM notification_setting WHERE account_id = (${deletedAccount}) AND $2 > 0 RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseTimeline = statement<Params, Erased>(
  'erase_timeline',
  `WITH erased AS (
     DELETE FROM timeline WHERE reader_id = (${deletedAccount}) AND $2 > 0 RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseWordFilters = statement<Params, Erased>(
  'erase_word_filters',
  `WITH erased AS (
     DELETE FROM word_filter WHERE id IN (SELECT id FROM word_filter WHERE account_id = (${deletedAccount}) LIMIT $2) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseHashtagFollows = statement<Params, Erased>(
  'erase_hashtag_follows',
  `WITH erased AS (
     DELETE FROM hashtag_follow WHERE id IN (SELECT id FROM hashtag_follow WHERE account_id = (${deletedAccount}) LIMIT $2) AND account_id = $1 RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseDrafts = statement<Params, Erased>(
  'erase_drafts',
  `WITH erased AS (
     DELETE FROM draft WHERE id IN (SELECT id FROM draft WHERE account_id = (${deletedAccount}) LIMIT $2) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

// One at a time: a foreign key deletes what it lists.
const eraseImports = statement<Params, Erased>(
  'erase_imports',
  `WITH erased AS (
     DELETE FROM account_import WHERE id IN (SELECT id FROM account_import WHERE account_id = (${deletedAccount}) LIMIT LEAST($2, 1)) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

const eraseReportCases = statement<Params, Erased>(
  'erase_report_cases',
  `WITH erased AS (
     DELETE FROM report_case WHERE id IN (SELECT id FROM report_case WHERE account_id = (${deletedAccount}) LIMIT $2) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

// The case stays for the operators, without who reported and what they wrote.
const eraseSentReports = statement<Params, Erased>(
  'erase_sent_reports',
  `WITH erased AS (
     UPDATE report SET reporter_id = NULL, text = ''
     WHERE id IN (SELECT id FROM report WHERE reporter_id = (${deletedAccount}) LIMIT $2) RETURNING 1
   ) SELECT count(*)::int AS erased FROM erased`,
);

/** Statements that each delete some of what remains of a deleted account besides its posts. */
export const erasureBatches = [
  eraseArchive,
  erasePairs('follow_request', ['followed_id', 'follower_id']),
  erasePairs('block', ['blocker_id', 'blocked_id']),
  erasePairs('mute', ['muter_id', 'muted_id']),
  eraseTimeline,
  eraseWordFilters,
  eraseHashtagFollows,
  eraseDrafts,
  eraseImports,
  eraseBookmarks,
  eraseMentions,
  eraseNotifications,
  eraseNotificationSetting,
  eraseReportCases,
  eraseSentReports,
] as const;

/** Deletes at most `limit` rows (of pairs of accounts: in each direction). Returns how many. */
export async function eraseBatch(
  db: Queryable,
  batch: (typeof erasureBatches)[number],
  [accountId, limit]: Params,
): Promise<number> {
  return requireRow(await db.query(batch, [accountId, limit])).erased;
}
