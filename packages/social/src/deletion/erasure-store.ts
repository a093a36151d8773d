import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

type Params = readonly [accountId: number, limit: number];

interface Erased {
  readonly erased: number;
}

const over = `SELECT id FROM account WHERE id = $1 AND deleted_at IS NOT NULL AND erased_at IS NULL`;

// Comments, likes and reposts of others go with their posts; nothing counts them but those.
const erasePosts = statement<Params, Erased>(
  'erase_posts',
  `WITH gone AS (
     DELETE FROM post WHERE id IN (SELECT id FROM post WHERE author_id = (${over}) ORDER BY id LIMIT $2) RETURNING 1
   ) SELECT count(*)::int AS erased FROM gone`,
);

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

/** Statements that each delete some of what a deleted account has left. */
export const erasureBatches = [erasePosts, eraseSetAside, eraseRequests] as const;

/** Deletes at most `limit` rows, twice as many requests; answers how many. */
export async function eraseBatch(
  db: Queryable,
  batch: (typeof erasureBatches)[number],
  [accountId, limit]: Params,
): Promise<number> {
  const [row] = await db.query(batch, [accountId, limit]);
  return row?.erased ?? 0;
}
