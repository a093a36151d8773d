import { retiredSeconds } from '@linnet/contract/key-times';
import type { Db } from '@linnet/db/database';
import type { JWK } from 'jose';

import type { LoadKeys } from './verification-keys.ts';

/** Loads the published keys from the database, for both servers in one process. */
export function loadKeysFromDatabase(db: Db): LoadKeys {
  return async () => {
    const rows = await db.prisma.signingKey.findMany({
      where: {
        OR: [
          { state: { in: ['current', 'next'] } },
          { state: 'retired', stateSince: { gt: new Date(Date.now() - retiredSeconds * 1000) } },
        ],
      },
      select: { publicJwk: true },
    });
    return rows.map(({ publicJwk }) => publicJwk as JWK); // the key store writes public JWKs only
  };
}
