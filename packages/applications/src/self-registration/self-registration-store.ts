/**
 * Applications that registered themselves: their number and their registration access token. The expiry of these and of
 * clients with a metadata document.
 */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { builtInIds } from '../application/built-in-store.ts';
import type { PublicKeySet } from '../secrets/client-keys.ts';

const lockStatement = statement<readonly [], never>(
  'self_registration_lock',
  `SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('self-registration', 0))`,
);

const countStatement = statement<readonly [builtInIds: readonly string[]], { count: number }>(
  'self_registration_count',
  'SELECT count(*) AS count FROM application WHERE owner_id IS NULL AND registration_token_sha256 IS NOT NULL AND client_id <> ALL ($1::varchar[])',
);

/** Counts those that registered themselves. No other transaction can add one until this one ends. */
export async function countSelfRegistered(tx: Queryable): Promise<number> {
  await tx.query(lockStatement, []);
  return requireRow(await tx.query(countStatement, [builtInIds]), countStatement).count;
}

interface FoundRegistration {
  readonly isSuspended: boolean;
  readonly jwks: PublicKeySet | null;
  /** Hex SHA-256 of the active client secrets. */
  readonly secrets: readonly string[];
}

const findStatement = statement<readonly [clientId: string, tokenSha256: Buffer], FoundRegistration>(
  'self_registration_find',
  `SELECT a.suspended_at IS NOT NULL AS "isSuspended", a.jwks,
          ARRAY(SELECT encode(s.sha256, 'hex') FROM application_secret s
                 WHERE s.client_id = a.client_id AND (s.expires_at IS NULL OR s.expires_at > now())) AS secrets
     FROM application a WHERE a.client_id = $1 AND a.owner_id IS NULL AND a.registration_token_sha256 = $2`,
);

/** Undefined if there is no such application, or the token is not its own. */
export async function findByRegistrationToken(
  db: Queryable,
  clientId: string,
  tokenSha256: string,
): Promise<FoundRegistration | undefined> {
  const [found] = await db.query(findStatement, [clientId, Buffer.from(tokenSha256, 'hex')]);
  return found;
}

const { registered, unused } = retention.application;

const jobStatement = statement<readonly [], never>(
  'self_registration_job',
  // The audit log names the service, not the application.
  `SELECT 1 FROM set_config('linnet.job', 'on', true)`,
);

const expireStatement = statement<readonly [builtInIds: readonly string[]], never>(
  'self_registration_expire',
  // A grant without a use is a consent whose code was not exchanged: it also keeps the registration for a day.
  `DELETE FROM application WHERE client_id IN (
     SELECT a.client_id FROM application a
       LEFT JOIN LATERAL (SELECT max(u.last_used_at) AS at FROM application_usage u
                           WHERE u.client_id = a.client_id) used ON true
      WHERE a.owner_id IS NULL AND a.suspended_at IS NULL AND a.client_id <> ALL ($1::varchar[])
        AND a.created_at < now() - interval '${unused}'
        AND (used.at IS NULL OR used.at < now() - interval '${registered}')
        AND NOT EXISTS (SELECT 1 FROM "grant" g WHERE g.client_id = a.client_id AND g.revoked_at IS NULL
                           AND g.created_at > now() - interval '${unused}')
      ORDER BY a.created_at LIMIT 1000)`,
);

/**
 * Deletes registrations that expired, with their grants. Suspended ones stay, so that the operator's decision does. A use
 * is a token or an API request.
 */
export async function expireSelfRegistered(db: Pick<Transactional, 'transaction'>): Promise<void> {
  await runExclusively(db, 'self-registration-expiry', async (tx) => {
    await tx.query(jobStatement, []);
    await tx.query(expireStatement, [builtInIds]);
  });
}
