/** The table `playground_run`: one row for each application and owner that tries it. */
import { runExclusively } from '@linnet/db/run-exclusively';
import type { Queryable, Transactional } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

/** Whose run it is, and of which application. */
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

const columns = `id, version, account_id AS "accountId", client_id AS "clientId", ends_at AS "endsAt", sealed_jwe AS sealed`;

/** SQL condition over the row `a` of `application`: its owner has a run of it. */
export const ownerHasRun = `EXISTS (SELECT 1 FROM playground_run t
  WHERE t.client_id = a.client_id AND t.account_id = a.owner_id AND t.ends_at > now())`;

const findStatement = statement<readonly [accountId: number, clientId: string | null], StoredRun>(
  'playground_run_find',
  `SELECT ${columns} FROM playground_run
    WHERE account_id = $1 AND ($2::text IS NULL OR client_id = $2) AND ends_at > now() ORDER BY id DESC`,
);

/** The live run. */
export async function findRun(db: Queryable, { accountId, clientId }: RunKey): Promise<StoredRun | undefined> {
  const [run] = await db.query(findStatement, [accountId, clientId]);
  return run;
}

/** Every live run of an account: as many as it has applications at most. */
export async function findRuns(db: Queryable, accountId: number): Promise<readonly StoredRun[]> {
  return await db.query(findStatement, [accountId, null]);
}

type SaveParams = readonly [accountId: number, clientId: string, endsAt: Date, sealed: string];

const startStatement = statement<SaveParams, { readonly started: number }>(
  'playground_run_start',
  // The application first, as deleting it does. The run gets another id: what is under way for the one before is lost.
  `WITH owned AS (
     SELECT client_id FROM application WHERE client_id = $2 AND owner_id = $1 FOR SHARE
   )
   INSERT INTO playground_run (account_id, client_id, ends_at, sealed_jwe)
   SELECT $1::bigint, client_id, $3::timestamptz, $4::text FROM owned
   ON CONFLICT (client_id, account_id) DO UPDATE
     SET id = next_id(), created_at = now(), ends_at = EXCLUDED.ends_at, version = 0, sealed_jwe = EXCLUDED.sealed_jwe
   RETURNING 1 AS started`,
);

/** Puts a run in the place of the one before; false when the application is not theirs. */
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

/** False when somebody else wrote since `version`, or it has ended. */
export async function updateRun(
  db: Queryable,
  { id, version, sealed }: Pick<StoredRun, 'id' | 'version' | 'sealed'>,
): Promise<boolean> {
  return (await db.query(updateStatement, [id, version, sealed])).length > 0;
}

const secretStatement = statement<readonly [clientId: string, sha256: Buffer], { readonly living: number }>(
  'playground_secret_living',
  `SELECT 1 AS living FROM application_secret
    WHERE client_id = $1 AND sha256 = $2 AND (expires_at IS NULL OR expires_at > now())`,
);

/** Whether the secret with this digest, lower-case hex, is one of the application's that work. */
export async function isLivingSecretOf(db: Queryable, clientId: string, sha256: string): Promise<boolean> {
  return (await db.query(secretStatement, [clientId, Buffer.from(sha256, 'hex')])).length > 0;
}

const sweepStatement = statement<readonly [], never>(
  'playground_run_sweep',
  `DELETE FROM playground_run
    WHERE id IN (SELECT id FROM playground_run WHERE ends_at < now() ORDER BY ends_at LIMIT 1000)`,
);

/** Removes runs that have ended, unless another process is at it. */
export async function sweepRuns(db: Pick<Transactional, 'transaction'>): Promise<void> {
  await runExclusively(db, 'playground-runs', async (tx) => {
    await tx.query(sweepStatement, []);
  });
}
