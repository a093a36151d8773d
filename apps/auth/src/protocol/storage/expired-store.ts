/**
 * Deletes expired rows. A used code or refresh token is kept until it expires, because its reuse must revoke its
 * grant; after that it is rejected like any unknown value.
 */
import type { Db } from '@linnet/db/database';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';

const kept = retention.oauth_artifact;

/** What strangers can make the service store. */
const pending = `expires_at < now() - interval '${kept.pending}' AND (
  kind IN ('PushedAuthorizationRequest', 'DeviceCode', 'ReplayDetection')
  OR (kind = 'Interaction' AND expires_at < now() - interval '${kept.pendingInteraction}' AND NOT payload @> '{"signedIn": true}')
)`;

/** Deletes expired pushed requests, device codes and interactions of strangers. */
export const sweepPending = createSweep('pending', {
  table: 'oauth_artifact',
  where: `${pending} ORDER BY expires_at`,
});

const sweeps = [
  createSweep('artifacts', {
    table: 'oauth_artifact',
    where: `expires_at < now() - interval '${kept.expired}' ORDER BY expires_at`,
  }),
  createSweep('sessions', {
    table: 'session',
    where: `expires_at < now() - interval '${retention.session.expired}' ORDER BY expires_at`,
  }),
  createSweep('grants', {
    table: '"grant"',
    where: `revoked_at < now() - interval '${retention.grant.revoked}' ORDER BY revoked_at`,
  }),
];

/** Deletes expired codes, tokens, interactions and sessions, and old revoked grants. */
export async function sweepExpired(db: Db, stopping: AbortSignal): Promise<void> {
  for (const sweep of sweeps) await sweep(db, stopping);
}
