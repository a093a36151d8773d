import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import type { JWK } from 'jose';

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
