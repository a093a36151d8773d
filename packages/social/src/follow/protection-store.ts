import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { isNotDeleted } from '../account/visibility.ts';

interface Protection {
  readonly isProtected: boolean;
  readonly followers: number;
  /** The number of pending follow requests. */
  readonly requests: number;
}

const findStatement = statement<readonly [accountId: number], Protection>(
  'protection_find',
  `SELECT a.protected AS "isProtected", a.followers_count AS followers,
     (SELECT count(*)::int FROM follow_request r WHERE r.followed_id = a.id AND ${isNotDeleted('r.follower_id')}) AS requests
   FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL`,
);

/** Returns whether an account is protected, with its followers and requests. `undefined`: it does not exist. */
export async function findProtection(db: Queryable, accountId: number): Promise<Protection | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row;
}
