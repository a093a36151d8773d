import type { Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement/statement';

import type { TokenBounds } from './token-lifetimes.ts';

const countStatement = statement<readonly [accessToken: number, refreshToken: number], { count: number }>(
  'application_shortened_lifetimes',
  'SELECT count(*) AS count FROM application WHERE access_token_lifetime > $1 OR refresh_token_lifetime > $2',
);

/** How many applications have chosen a longer lifetime than they get. */
export async function countShortenedLifetimes(db: Queryable, bounds: TokenBounds): Promise<number> {
  const refreshToken = Math.min(bounds.refreshToken, bounds.refreshTokenTotal);
  return requireRow(await db.query(countStatement, [bounds.accessToken, refreshToken]), countStatement).count;
}
