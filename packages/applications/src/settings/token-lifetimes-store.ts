import type { Db } from '@linnet/db/database';

import type { TokenBounds } from './token-lifetimes.ts';

/** How many applications have chosen a longer lifetime than they get. */
export async function countShortenedLifetimes(db: Pick<Db, 'prisma'>, bounds: TokenBounds): Promise<number> {
  const refreshToken = Math.min(bounds.refreshToken, bounds.refreshTokenTotal);
  return await db.prisma.application.count({
    where: {
      OR: [{ accessTokenLifetime: { gt: bounds.accessToken } }, { refreshTokenLifetime: { gt: refreshToken } }],
    },
  });
}
