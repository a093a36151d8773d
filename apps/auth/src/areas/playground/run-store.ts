/** The table `playground_run`: one row per application and owner. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

export interface RunKey {
  readonly accountId: number;
  readonly clientId: string;
}

export interface StoredRun extends RunKey {
  readonly id: number;
  readonly version: number;
  readonly endsAt: Date;
  readonly sealed: string;
}

/** SQL condition over the row `a` of `application`: its owner has a run of it. */
export const ownerHasRun = `EXISTS (SELECT 1 FROM playground_run t
  WHERE t.client_id = a.client_id AND t.account_id = a.owner_id AND t.ends_at > now())`;

type SaveParams = readonly [accountId: number, clientId: string, endsAt: Date, sealed: string];

const startStatement = statement<SaveParams, { readonly started: number }>(
  'playground_run_start',
  // Locks the application first, as deleting it does. The new id makes pending updates of the previous run fail.
  `WITH owned AS (
     SELECT client_id FROM application WHERE client_id = $2 AND owner_id = $1 FOR SHARE
   )
   INSERT INTO playground_run (account_id, client_id, ends_at, sealed_jwe)
   SELECT $1::bigint, client_id, $3::timestamptz, $4::text FROM owned
   ON CONFLICT (client_id, account_id) DO UPDATE
     SET id = next_id(), created_at = now(), ends_at = EXCLUDED.ends_at, version = 0, sealed_jwe = EXCLUDED.sealed_jwe
   RETURNING 1 AS started`,
);

/** Replaces the previous run. Returns false if the account does not own the application. */
export async function startRun(
  db: Queryable,
  { accountId, clientId, endsAt, sealed }: Omit<StoredRun, 'id' | 'version'>,
): Promise<boolean> {
  return (await db.query(startStatement, [accountId, clientId, endsAt, sealed])).length > 0;
}

const updateStatement = statement<readonly [id: number, version: number, sealed: string], { readonly saved: number }>(
  'playground_run_update',
  `UPDATE playground_run SET sealed_jwe = $3, version = version + 1
    WHERE id = $1 AND version = $2 AND ends_at > now() RETURNING 1 AS saved`,
);

/** Returns false if the run was updated since `version`, or has expired. */
export async function updateRun(
  db: Queryable,
  { id, version, sealed }: Pick<StoredRun, 'id' | 'version' | 'sealed'>,
): Promise<boolean> {
  return (await db.query(updateStatement, [id, version, sealed])).length > 0;
}

/** Deletes runs that have expired. */
export const sweepRuns = createSweep('playground_run', {
  table: 'playground_run',
  where: 'ends_at < now() ORDER BY ends_at',
});
