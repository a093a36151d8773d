import { retiredSeconds } from '@linnet/contract/key-times';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { JWK } from 'jose';

import type { KeyState, KeyStatus, Plan } from './rotation.ts';
import type { PublicJwk, SigningAlgorithm } from './signing-key.ts';

export type KeyDatabase = Pick<Db, 'query' | 'transaction'>;

/** A signing key as stored. */
export interface SealedKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly state: 'current' | 'next';
  readonly publicJwk: PublicJwk;
  readonly privateJwe: string;
}

/** The status of a key of any algorithm. */
export interface StoredKeyStatus extends KeyStatus {
  readonly alg: string;
}

const statusesStatement = statement<readonly [], StoredKeyStatus>(
  'signing_key_statuses',
  `SELECT kid, alg, state::text AS state, EXTRACT(EPOCH FROM clock_timestamp() - state_since)::float8 AS "ageSeconds"
     FROM signing_key ORDER BY created_at, kid`,
);

/** Every key, revoked and retired ones included. */
export async function findKeyStatuses(db: Queryable): Promise<readonly StoredKeyStatus[]> {
  return await db.query(statusesStatement, []);
}

const moveStatement = statement<readonly [kid: string, to: KeyState], never>(
  'signing_key_move',
  `UPDATE signing_key
      SET state = $2::signing_key_state, state_since = clock_timestamp(),
          private_jwe = CASE WHEN $2 = 'revoked' THEN '' ELSE private_jwe END
    WHERE kid = $1 AND state <> 'revoked' AND state <> $2::signing_key_state`,
);

/** Changes the state of a key. A revoked key remains revoked, and its private half is erased. */
export async function moveKey(db: Queryable, { kid, to }: Plan['moves'][number]): Promise<void> {
  await db.query(moveStatement, [kid, to]);
}

const insertStatement = statement<readonly [kid: string, alg: string, state: string, jwk: string, jwe: string], never>(
  'signing_key_insert',
  `INSERT INTO signing_key (kid, alg, state, public_jwk, private_jwe, created_at, state_since)
   VALUES ($1, $2, $3::signing_key_state, $4::jsonb, $5, clock_timestamp(), clock_timestamp())`,
);

export async function insertKey(db: Queryable, key: SealedKey): Promise<void> {
  const { kid, alg, state, publicJwk, privateJwe } = key;
  await db.query(insertStatement, [kid, alg, state, JSON.stringify(publicJwk), privateJwe]);
}

type PublishedKey = Pick<SealedKey, 'kid' | 'alg' | 'privateJwe'> & { readonly state: Exclude<KeyState, 'revoked'> };

const published = `(state IN ('current', 'next')
  OR (state = 'retired' AND state_since > now() - interval '${String(retiredSeconds)} seconds'))`;

const publishedStatement = statement<readonly [], PublishedKey>(
  'signing_key_published',
  `SELECT kid, alg, state::text AS state, private_jwe AS "privateJwe" FROM signing_key WHERE ${published}
    ORDER BY array_position(ARRAY['current', 'next', 'retired'], state::text), alg, state_since, kid`,
);

/** The current keys, the next ones, and retired ones whose tokens may still be valid, with sealed private halves. */
export async function findPublishedKeys(db: Queryable): Promise<readonly PublishedKey[]> {
  return await db.query(publishedStatement, []);
}

const resealStatement = statement<readonly [kid: string, former: string, jwe: string], never>(
  'signing_key_reseal',
  'UPDATE signing_key SET private_jwe = $3 WHERE kid = $1 AND private_jwe = $2',
);

/** Replaces the sealed private half, unless another process has replaced it since it was read. */
export async function replaceSealed(db: Queryable, key: { kid: string; former: string; jwe: string }): Promise<void> {
  await db.query(resealStatement, [key.kid, key.former, key.jwe]);
}

const eraseStatement = statement<readonly [], never>(
  'signing_key_erase',
  `UPDATE signing_key SET private_jwe = '' WHERE private_jwe <> '' AND NOT ${published}`,
);

/** Erases the private halves of keys that are no longer published. */
export async function eraseUnpublished(db: Queryable): Promise<void> {
  await db.query(eraseStatement, []);
}

const usableKeysCount = statement<readonly [], { readonly count: number }>(
  'auth_usable_keys_count',
  `SELECT count(*)::int AS count FROM signing_key WHERE state IN ('current', 'next')`,
);

/** The number of keys in use. Also proves that the database responds and has its tables. */
export async function countUsableKeys(db: Queryable): Promise<number> {
  const [row] = await db.query(usableKeysCount, []);
  if (row === undefined) throw new TypeError('count(*) returned no row');
  return row.count;
}

interface VerificationKey {
  readonly alg: string;
  readonly publicJwk: JWK;
}

const findStatement = statement<readonly [kid: string], VerificationKey>(
  'signing_key_verification',
  `SELECT alg, public_jwk AS "publicJwk" FROM signing_key WHERE kid = $1 AND state <> 'revoked'`,
);

/**
 * The public key with this id, also if it was retired long ago and is no longer published: for signatures whose age
 * does not matter. Undefined for a revoked key.
 */
export async function findVerificationKey(db: Queryable, kid: string): Promise<VerificationKey | undefined> {
  const [key] = await db.query(findStatement, [kid]);
  return key;
}
