import type { Db } from '@linnet/db/database';

import type { KeyState } from './rotation.ts';

/** A signing key as listed for an operator. */
export interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  readonly state: KeyState;
  /** RFC 3339, UTC. */
  readonly created: string;
}

/** All keys: those of ES256 and then those of RS256, the oldest first. */
export async function listSigningKeys(db: Pick<Db, 'prisma'>): Promise<readonly ListedKey[]> {
  const rows = await db.prisma.signingKey.findMany({
    select: { kid: true, alg: true, state: true, createdAt: true },
    orderBy: [{ alg: 'asc' }, { createdAt: 'asc' }, { state: 'desc' }],
  });
  return rows.map(({ kid, alg, state, createdAt }) => ({ kid, alg, state, created: createdAt.toISOString() }));
}
