/** The table `token_status`: which tokens for registered APIs are in which status list, and which of them are revoked. */
import { DatabaseBusy } from '@linnet/db/connection/database-error';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import type { RevocableToken } from './revocable-token.ts';

/** Tokens in a list: 128 KB, which compresses to some 150 bytes while none is revoked. */
export const statusListSize = 2 ** 20;
/** Seconds: a list has the tokens that expire in the same hour. */
export const statusListSpan = 3600;

/** An access token for a registered API, with the id of the API (`rs`) and its epoch (`re`). */
export interface ApiToken extends Pick<RevocableToken, 'jti' | 'client_id' | 'ce' | 'gid' | 'ch'> {
  readonly rs: number;
  readonly re: number;
  readonly ge?: number | undefined;
  readonly ae?: number | undefined;
}

type Columns = readonly [
  list: number,
  rs: number,
  re: number,
  jti: string,
  clientId: string,
  ce: number,
  gid: string | null,
  ge: number | null,
  ae: number | null,
  ch: string | null,
];

/** Tries that find a free place even in a list that is nearly full. */
const tries = 64;

const insertStatement = statement<Columns, { readonly idx: number }>(
  'token_status_insert',
  `INSERT INTO token_status (expires_at, resource_server_id, idx, re, jti, client_id, ce, gid, ge, ae, ch)
   SELECT to_timestamp($1::int), $2::bigint, place, $3::int, $4::text, $5::text, $6::int, $7::text, $8::int, $9::int, $10::text
   FROM (SELECT floor(random() * ${String(statusListSize)})::int FROM generate_series(1, ${String(tries)})) tried (place)
   WHERE NOT EXISTS (SELECT FROM token_status WHERE expires_at = to_timestamp($1::int) AND resource_server_id = $2::bigint AND idx = place)
   LIMIT 1 ON CONFLICT DO NOTHING RETURNING idx`,
);

/**
 * Gives a token a place of its own in a list, before it is signed: whatever revokes it from now on is found. `list`: when its tokens have
 * expired, in seconds. @throws DatabaseBusy if the list is full
 */
export async function insertTokenStatus(db: Queryable, list: number, token: ApiToken): Promise<number> {
  const { rs, re, jti, client_id: clientId, ce, gid = null, ge = null, ae = null, ch = null } = token;
  const values: Columns = [list, rs, re, jti, clientId, ce, gid, ge, ae, ch];
  // Another token may have taken the same place at the same time.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [row] = await db.query(insertStatement, values);
    if (row !== undefined) return row.idx;
  }
  throw new DatabaseBusy('The status list is full.');
}

/** SQL: the tokens `s` that rows of `revocation` of a kind are about. */
const revokedBy = (kind: string, condition: string, join = '') =>
  `SELECT s.idx FROM token_status s ${join} JOIN revocation v ON v.kind = '${kind}' AND ${condition} WHERE ${inList}`;
const inList = 's.expires_at = to_timestamp($2::int) AND s.resource_server_id = $1';

// It joins what the database has now: a token that was issued while a revocation was committed is found, too.
const revokedStatement = statement<readonly [rs: number, list: number], { readonly revoked: readonly number[] }>(
  'token_status_revoked',
  `SELECT ARRAY(
     ${revokedBy('token', 'v.id = s.jti')}
     UNION ${revokedBy('chain', 'v.id = s.ch')}
     UNION ${revokedBy('grant', 'v.id = s.gid AND (v.epoch IS NULL OR s.ge < v.epoch)')}
     UNION ${revokedBy('client', 'v.id = s.client_id AND (v.epoch IS NULL OR s.ce < v.epoch)')}
     UNION ${revokedBy('account', 'v.id = g.account_id::text AND (v.epoch IS NULL OR s.ae < v.epoch)', 'JOIN "grant" g ON g.id = s.gid')}
     UNION SELECT s.idx FROM token_status s LEFT JOIN resource_server r ON r.id = $1 WHERE ${inList} AND (r.id IS NULL OR s.re < r.epoch)
   ) AS revoked
   WHERE EXISTS (SELECT FROM resource_server WHERE id = $1) OR EXISTS (SELECT FROM token_status s WHERE ${inList})`,
);

/** The places of the revoked tokens of a list: all, if the API is deleted. Undefined if there never was one. */
export async function findRevokedPlaces(
  db: Queryable,
  rs: number,
  list: number,
): Promise<readonly number[] | undefined> {
  return (await db.query(revokedStatement, [rs, list]))[0]?.revoked;
}

/** Deletes lists whose tokens have expired. */
export const sweepTokenStatus = createSweep('token_status', {
  table: 'token_status',
  where: 'expires_at < now() ORDER BY expires_at',
});
