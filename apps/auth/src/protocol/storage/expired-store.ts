/**
 * Removes what is over. Whatever could still be asked for stays: a code or a refresh token that was used is known as
 * such until it would have expired, and its use once more ends its grant; afterwards it is refused as any unknown one.
 */
import type { Db } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';

/** Clocks differ, and a page that has waited overnight still hears that it is late. */
const margin = `interval '1 day'`;
/** How long an ended grant is kept, with what hung on it: to tell the account and the owner of the application of it. */
const endedGrants = `interval '90 days'`;

/** Rows of each batch: a transaction of its own, so that nobody waits long. */
const batch = 1000;

const sweeps = {
  artifact: sweepOf('oauth_artifact', `expires_at < now() - ${margin} ORDER BY expires_at`),
  session: sweepOf('session', `expires_at < now() - ${margin} ORDER BY expires_at`),
  grant: sweepOf('"grant"', `revoked_at < now() - ${endedGrants} ORDER BY revoked_at`),
};

function sweepOf(table: string, condition: string) {
  return statement<readonly [limit: number], { readonly count: number }>(
    `expired_${table.replaceAll('"', '')}`,
    `WITH swept AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1
     )
     SELECT count(*) AS count FROM swept`,
  );
}

/** Removes expired codes, tokens, interactions, sessions, and grants that ended long ago, unless another process is at it. */
export async function sweepExpired(db: Db, stopping: AbortSignal): Promise<void> {
  for (const sweep of Object.values(sweeps)) await sweepAll(db, sweep, stopping);
}

async function sweepAll(db: Db, sweep: ReturnType<typeof sweepOf>, stopping: AbortSignal): Promise<void> {
  let swept = batch;
  while (swept === batch && !stopping.aborted) {
    swept = 0;
    await runExclusively(db, 'expired-sweep', async (tx) => {
      const [row] = await tx.query(sweep, [batch]);
      swept = row?.count ?? 0;
    });
  }
}
