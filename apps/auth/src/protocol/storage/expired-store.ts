/**
 * Deletes expired rows. A used code or refresh token is kept until it expires, because its reuse must revoke its
 * grant; after that it is rejected like any unknown value.
 */
import type { Db } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';

/** For clock differences, and so that a page that was open overnight still reports an expired interaction. */
const margin = `interval '1 day'`;
/** How long a revoked grant is kept, so that the person and the application's owner can see it. */
const revokedGrants = `interval '90 days'`;

/** Rows per transaction, so that locks are short. */
const batch = 1000;

/**
 * What strangers can make the service store. Nothing needs it for long after it expires: `expired_token` is still
 * reported for some minutes (RFC 8628 §3.5), and an interaction in which nobody signed in can be restarted for an hour.
 */
const pending = `expires_at < now() - interval '5 minutes' AND (
  kind IN ('PushedAuthorizationRequest', 'DeviceCode', 'ReplayDetection')
  OR (kind = 'Interaction' AND expires_at < now() - interval '1 hour' AND NOT payload @> '{"signedIn": true}')
)`;

const pendingSweep = sweepOf('oauth_artifact', `${pending} ORDER BY expires_at`, 'pending');

const sweeps = {
  artifact: sweepOf('oauth_artifact', `expires_at < now() - ${margin} ORDER BY expires_at`),
  session: sweepOf('session', `expires_at < now() - ${margin} ORDER BY expires_at`),
  grant: sweepOf('"grant"', `revoked_at < now() - ${revokedGrants} ORDER BY revoked_at`),
};

function sweepOf(table: string, condition: string, name = table.replaceAll('"', '')) {
  return statement<readonly [limit: number], { readonly count: number }>(
    `expired_${name}`,
    `WITH swept AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1
     )
     SELECT count(*) AS count FROM swept`,
  );
}

/** Deletes expired codes, tokens, interactions and sessions, and old revoked grants, in one process at a time. */
export async function sweepExpired(db: Db, stopping: AbortSignal): Promise<void> {
  for (const sweep of Object.values(sweeps)) await sweepAll(db, sweep, stopping);
}

/** Deletes expired pushed requests, device codes and interactions of strangers, in one process at a time. */
export async function sweepPending(db: Db, stopping: AbortSignal): Promise<void> {
  await sweepAll(db, pendingSweep, stopping);
}

async function sweepAll(db: Db, sweep: ReturnType<typeof sweepOf>, stopping: AbortSignal): Promise<void> {
  let swept = batch;
  while (swept === batch && !stopping.aborted) {
    swept = 0;
    await runExclusively(db, 'expired-sweep', async (tx) => {
      const [row] = await tx.query(sweep, [batch]);
      if (row === undefined) throw new TypeError('count(*) returned no row');
      swept = row.count;
    });
  }
}
