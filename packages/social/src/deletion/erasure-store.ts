import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { allMarks, removeSomeMarks } from '../post/mark-removal-store.ts';

type Params = readonly [accountId: number, limit: number];

interface Erased {
  readonly erased: number;
}

const over = `SELECT id FROM account WHERE id = $1 AND deleted_at IS NOT NULL AND erased_at IS NULL`;

// Comments, likes and reposts of others go with their posts; nothing counts them but those. The oldest posts go
// first, as many as have no more than $3 of them together.
const erasePostsStatement = statement<readonly [...Params, marks: number], Erased & { readonly oldest: number | null }>(
  'erase_posts',
  `WITH oldest AS MATERIALIZED (
     SELECT id, sum(likes_count::bigint + reposts_count + comments_count) OVER (ORDER BY id) AS marks
     FROM (SELECT * FROM post WHERE author_id = (${over}) ORDER BY id LIMIT $2) p
   ), locked AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT id FROM oldest WHERE marks <= $3) ORDER BY id FOR UPDATE
   ), gone AS (
     DELETE FROM post WHERE id IN (SELECT id FROM locked) RETURNING 1
   )
   SELECT (SELECT count(*)::int FROM gone) AS erased, (SELECT min(id) FROM oldest) AS oldest`,
);

interface PostErasure {
  readonly accountId: number;
  readonly limit: number;
  readonly marksAtOnce: number;
}

/**
 * Deletes at most `limit` posts with their marks, or a part of the marks of one that has more than `marksAtOnce`;
 * answers how much that was. No statement deletes more, and what is interrupted can be called again.
 */
export async function erasePosts(db: Queryable, { accountId, limit, marksAtOnce }: PostErasure): Promise<number> {
  const [row] = await db.query(erasePostsStatement, [accountId, limit, marksAtOnce]);
  if (row === undefined || row.erased > 0 || row.oldest === null) return row?.erased ?? 0;
  const removed = await removeSomeMarks(db, { id: row.oldest, authorId: accountId, marksAtOnce });
  if (removed > 0) return removed;
  // None are left: whatever the counters tell, it can go.
  const [last] = await db.query(erasePostsStatement, [accountId, 1, allMarks]);
  return last?.erased ?? 0;
}

const eraseSetAside = statement<Params, Erased>(
  'erase_set_aside',
  `WITH gone AS (
     DELETE FROM set_aside WHERE account_id = $1 AND (account_id, kind, id) IN (
       SELECT account_id, kind, id FROM set_aside WHERE account_id = (${over}) LIMIT $2
     ) RETURNING 1
   ) SELECT count(*)::int AS erased FROM gone`,
);

const eraseRequests = statement<Params, Erased>(
  'erase_follow_requests',
  `WITH gone AS (
     DELETE FROM follow_request WHERE (follower_id, followed_id) IN (
       (SELECT follower_id, followed_id FROM follow_request WHERE followed_id = (${over}) LIMIT $2)
       UNION (SELECT follower_id, followed_id FROM follow_request WHERE follower_id = (${over}) LIMIT $2)
     ) RETURNING 1
   ) SELECT count(*)::int AS erased FROM gone`,
);

/** Statements that each delete some of what a deleted account has left besides its posts. */
export const erasureBatches = [eraseSetAside, eraseRequests] as const;

/** Deletes at most `limit` rows, twice as many requests; answers how many. */
export async function eraseBatch(
  db: Queryable,
  batch: (typeof erasureBatches)[number],
  [accountId, limit]: Params,
): Promise<number> {
  const [row] = await db.query(batch, [accountId, limit]);
  return row?.erased ?? 0;
}
