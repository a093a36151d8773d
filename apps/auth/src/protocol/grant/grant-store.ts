/** Grants from consent. A statement changes a grant only while it is active, so that none is revived. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { lookup, statement } from '@linnet/db/statement/statement';

import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import type { GrantEpochs } from '../token/acting-claims.ts';
import { endChain, isActiveChain, parseChain } from '../storage/chain-store.ts';

export interface SavedGrant {
  readonly id: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The provider's record without `jti`. */
  readonly payload: object;
  /** Lifetime from now; undefined: no expiry. */
  readonly seconds: number | undefined;
}

const saveStatement = statement<
  readonly [
    id: string,
    accountId: number,
    clientId: string,
    scopes: readonly string[],
    payload: string,
    seconds: number | null,
  ],
  { saved: number }
>(
  'grant_save',
  // FOR SHARE waits for a transaction that revokes the account's grants: it then either includes this grant or
  // has ended the session that this request came with. Test people authorize applications of their developer only.
  `INSERT INTO "grant" (id, account_id, client_id, kind, scopes, payload, ends_at)
   SELECT $1::varchar, active.id, $3::varchar, 'consent', $4::text[], $5::jsonb, now() + make_interval(secs => $6::float8)
     FROM (SELECT id FROM account WHERE id = $2 AND deleted_at IS NULL AND suspended_at IS NULL AND (test_owner_id IS NULL
       OR test_owner_id = (SELECT owner_id FROM application WHERE client_id = $3)) FOR SHARE) AS active
   ON CONFLICT (id) DO UPDATE SET scopes = EXCLUDED.scopes, payload = EXCLUDED.payload, ends_at = EXCLUDED.ends_at,
          epoch = "grant".epoch + CASE WHEN "grant".scopes <@ EXCLUDED.scopes THEN 0 ELSE 1 END
     WHERE ${isActiveGrant('"grant"')}
       AND "grant".account_id = EXCLUDED.account_id AND "grant".client_id = EXCLUDED.client_id
   RETURNING 1 AS saved`,
);

/** Returns false, and saves nothing, for a revoked grant or a suspended account. */
export async function saveGrant(
  db: Queryable,
  { id, accountId, clientId, scopes, payload, seconds }: SavedGrant,
): Promise<boolean> {
  const record = JSON.stringify(payload);
  const rows = await db.query(saveStatement, [id, accountId, clientId, scopes, record, seconds ?? null]);
  return rows.length > 0;
}

type Payload = Readonly<Record<string, unknown>>;

/** An active grant, and the epochs that its tokens carry. */
export interface FoundGrant {
  readonly payload: Payload;
  /** Those that were not removed since. */
  readonly scopes: readonly string[];
  readonly epochs: GrantEpochs;
}

/** A grant that expires sooner issues no tokens: each lives for at least a second and none outlives its grant. */
const minSecondsLeft = 2;

const findStatement = lookup<
  readonly [id: string, chainId: string | null],
  {
    payload: Payload;
    scopes: readonly string[];
    grant_epoch: number;
    account_epoch: number;
    test_owner: number | null;
    seconds_left: number | null;
  }
>(
  'grant_find',
  ['text', 'text'],
  `SELECT g.payload, COALESCE(g.scopes, '{}') AS scopes, g.epoch AS grant_epoch, a.epoch AS account_epoch, a.test_owner_id AS test_owner,
          EXTRACT(EPOCH FROM g.ends_at - now())::float8 AS seconds_left
     FROM "grant" g JOIN account a ON a.id = g.account_id
    WHERE g.id = $1 AND g.kind = 'consent' AND g.revoked_at IS NULL
      AND (g.ends_at IS NULL OR g.ends_at > now() + interval '${String(minSecondsLeft)} seconds')
      AND ${isActiveChain('$2')}`,
);

/** `id`: of the grant, or of a chain that must continue. */
export async function findGrant(db: Queryable, id: string): Promise<FoundGrant | undefined> {
  const { grantId, chainId = null } = parseChain(id);
  // Taken before the query, so that the expiry by this process's clock is never after that of the database.
  const queriedAt = Date.now();
  const [row] = await db.query(findStatement, [grantId, chainId]);
  if (row === undefined) return undefined;
  const { payload, scopes, grant_epoch: grant, account_epoch: account, seconds_left: secondsLeft } = row;
  const testOwner = row.test_owner ?? undefined;
  const endsAt = secondsLeft === null ? undefined : queriedAt + secondsLeft * 1000;
  return { payload, scopes, epochs: { grant, account, testOwner, endsAt } };
}

const findOfStatement = lookup<readonly [accountId: number, clientId: string], { id: string }>(
  'grant_find_of',
  ['bigint', 'text'],
  `SELECT id FROM "grant"
    WHERE account_id = $1 AND client_id = $2 AND kind = 'consent' AND ${isActiveGrant('"grant"')}
    ORDER BY created_at DESC LIMIT 1`,
);

/** The newest active grant of an account for an application. */
export async function findGrantIdOf(db: Queryable, accountId: number, clientId: string): Promise<string | undefined> {
  const [row] = await db.query(findOfStatement, [accountId, clientId]);
  return row?.id;
}

const revokeStatement = statement<readonly [id: string], never>(
  'grant_revoke',
  'UPDATE "grant" SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
);

/** Revokes a grant with all its codes and tokens; given the id of a chain, it ends that chain only. */
export async function revokeGrant(db: Queryable, id: string): Promise<void> {
  const { grantId, chainId } = parseChain(id);
  if (chainId === undefined) await db.query(revokeStatement, [grantId]);
  else await endChain(db, chainId, grantId);
}
