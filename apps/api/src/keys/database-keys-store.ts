import type { Db } from '@linnet/db/database';
import type { JWK } from 'jose';

import type { LoadKeys } from './verification-keys.ts';

/** As long as the authorization server publishes them (`rotation.ts` of its keys). */
const retiredMs = 4_200_000;

/** The published keys as the authorization server keeps them; for both servers in one process. */
export function loadKeysFromDatabase(db: Db): LoadKeys {
  return async () => {
    const rows = await db.prisma.signingKey.findMany({
      where: {
        OR: [
          { state: { in: ['current', 'next'] } },
          { state: 'retired', stateSince: { gt: new Date(Date.now() - retiredMs) } },
        ],
      },
      select: { publicJwk: true },
    });
    return rows.map(({ publicJwk }) => publicJwk as JWK); // the key store writes public JWKs only
  };
}
