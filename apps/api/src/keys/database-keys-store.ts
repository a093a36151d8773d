import { retiredSeconds } from '@linnet/contract/key-times';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import type { JWK } from 'jose';

import type { LoadKeys } from './verification-keys.ts';

const publishedStatement = statement<readonly [], { readonly jwk: JWK }>(
  'api_signing_keys',
  `SELECT public_jwk AS jwk FROM signing_key WHERE state IN ('current', 'next')
       OR (state = 'retired' AND state_since > now() - interval '${String(retiredSeconds)} seconds')`,
);

/** Loads the published keys from the database, for both servers in one process. */
export function loadKeysFromDatabase(db: Queryable): LoadKeys {
  return async () => (await db.query(publishedStatement, [])).map(({ jwk }) => jwk);
}
