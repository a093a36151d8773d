import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import type { PublicJwk } from './signing-key.ts';

export type KeyDatabase = Pick<Db, 'prisma' | 'query'>;

/** `current` signs, `next` is published to sign later. */
export type UsableState = 'current' | 'next';

/** A signing key as it is stored. */
export interface SealedKey {
  readonly kid: string;
  readonly alg: string;
  readonly state: UsableState;
  readonly publicJwk: PublicJwk;
  readonly privateJwe: string;
}

/** A signing key as an operator sees it. */
export interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  readonly state: UsableState | 'retired' | 'revoked';
  /** RFC 3339, UTC. */
  readonly created: string;
}

/** Inserts those whose state is still free (unique indexes on `current` and on `next`); one statement. */
export async function insertMissingKeys(db: KeyDatabase, keys: readonly SealedKey[]): Promise<void> {
  await db.prisma.signingKey.createMany({
    data: keys.map((key) => ({ ...key, publicJwk: { ...key.publicJwk } })),
    skipDuplicates: true,
  });
}

/** The private halves, sealed, of the keys in use. */
export async function findUsableKeys(
  db: KeyDatabase,
): Promise<readonly Pick<SealedKey, 'kid' | 'state' | 'privateJwe'>[]> {
  const rows = await db.prisma.signingKey.findMany({
    where: { state: { in: ['current', 'next'] } },
    select: { kid: true, state: true, privateJwe: true },
  });
  return rows.flatMap(({ kid, state, privateJwe }) =>
    state === 'current' || state === 'next' ? [{ kid, state, privateJwe }] : [],
  );
}

const usableKeysCount = statement<readonly [], { readonly count: number }>(
  'auth_usable_keys_count',
  `SELECT count(*)::int AS count FROM signing_key WHERE state IN ('current', 'next')`,
);

/** How many keys are in use; also tells that the database answers and has its tables. */
export async function countUsableKeys(db: KeyDatabase): Promise<number> {
  const [row] = await db.query(usableKeysCount, []);
  return row?.count ?? 0;
}

/** All keys, the oldest first. */
export async function listSigningKeys(db: KeyDatabase): Promise<readonly ListedKey[]> {
  const rows = await db.prisma.signingKey.findMany({
    select: { kid: true, alg: true, state: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { state: 'desc' }],
  });
  return rows.map(({ kid, alg, state, createdAt }) => ({ kid, alg, state, created: createdAt.toISOString() }));
}
