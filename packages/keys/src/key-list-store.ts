import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import type { KeyState } from './rotation.ts';

/** A signing key as listed for an operator. */
export interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  readonly state: KeyState;
  /** RFC 3339, UTC. */
  readonly created: string;
}

interface Row extends Omit<ListedKey, 'created'> {
  readonly createdAt: Date;
}

const listStatement = statement<readonly [], Row>(
  'signing_keys_list',
  'SELECT kid, alg, state, created_at AS "createdAt" FROM signing_key ORDER BY alg, created_at, state DESC',
);

/** All keys: those of ES256 and then those of RS256, the oldest first. */
export async function listSigningKeys(db: Queryable): Promise<readonly ListedKey[]> {
  const rows = await db.query(listStatement, []);
  return rows.map(({ createdAt, ...key }) => ({ ...key, created: createdAt.toISOString() }));
}
