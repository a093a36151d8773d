import { randomUUID } from 'node:crypto';

import { durationOf, retention } from '@linnet/db/keep/retention';
import type { KeyRing } from '@linnet/keys/key-ring';
import { signingAlgorithms } from '@linnet/keys/signing-key';
import { FetchFailed } from '@linnet/media/fetch/fetch-target';
import { postToPublic } from '@linnet/media/fetch/public-post';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Job } from '@linnet/service/jobs/job';
import { SignJWT, importJWK } from 'jose';

import type { AuthEvents } from '../../audit/events.ts';
import { claimLogouts, isLogoutDue, postponeLogouts, removeLogout } from './logout-store.ts';
import type { ClaimedLogout } from './logout-store.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const lifetime = '2m';

interface LogoutTokenRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly accountId: number;
  readonly sid: string;
  readonly algorithm: string;
}

/**
 * A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), with `sub` and `sid`. Every attempt gets a new `jti`:
 * an application may refuse one that it has seen, and its response to the first attempt may have been lost.
 */
async function signLogoutToken(keyRing: KeyRing, request: LogoutTokenRequest): Promise<string> {
  const { issuer, clientId, accountId, sid, algorithm } = request;
  const alg = signingAlgorithms.find((known) => known === algorithm);
  if (alg === undefined) throw new TypeError(`there is no key for ${algorithm}`);
  const jwk = keyRing.current[alg];
  return await new SignJWT({ sid, events: { [logoutEvent]: {} } })
    .setProtectedHeader({ alg, kid: jwk.kid, typ: 'logout+jwt' })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(String(accountId))
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(await importJWK({ ...jwk }, alg));
}

/** The job that sends logout tokens. Every process runs it; each notification is claimed by one of them. */
interface LogoutJobOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  /** Each is a `host:port` that may be contacted although it is not public (MEDIA_FETCH_ALLOW). */
  readonly allow: readonly string[];
  readonly events: Pick<AuthEvents, 'logoutDelivered' | 'logoutDelayed' | 'logoutGivenUp'>;
  /** The newest keys. */
  readonly keyRing: () => KeyRing;
}

const everyMs = 1000;
/** Also the number of parallel requests. */
const batch = 10;
/** Longer than a batch takes. After a crash, claimed notifications are delayed this long. */
const leaseSeconds = 60;
const minute = 60;
/** Delays in seconds before the second attempt, the third and so on; the last one repeats. */
const retryDelays = [10, minute, 5 * minute, 15 * minute, 60 * minute, 180 * minute] as const;
const maxAgeMs = durationOf(retention.backchannel_logout.undelivered);
const limits = { maxBytes: 0, connectMs: 3000, headersMs: 5000, totalMs: 8000 } as const;
const ports = [80, 443] as const;

/** Delivers at least once, for up to 24 hours. */
export function createLogoutJob(options: LogoutJobOptions): Job {
  return {
    name: 'backchannel-logout',
    everyMs,
    due: isLogoutDue,
    run: async (stopping) => {
      let claimed: readonly ClaimedLogout[];
      do {
        claimed = await claimLogouts(options.db, batch, leaseSeconds);
        await Promise.all(claimed.map((logout) => deliver(options, logout, stopping)));
      } while (claimed.length === batch && !stopping.aborted);
    },
  };
}

async function deliver(options: LogoutJobOptions, logout: ClaimedLogout, stopping: AbortSignal): Promise<void> {
  const { db, events } = options;
  const { id, clientId, accountId, attempts, address } = logout;
  if (address === null) {
    await removeLogout(db, id);
    return;
  }
  const problem = await send(options, { ...logout, address }, stopping);
  const event = { clientId, accountId, attempts };
  if (problem === undefined) {
    await removeLogout(db, id);
    events.logoutDelivered(event);
  } else if (stopping.aborted) {
    await postponeLogouts(db, logout, 0);
  } else if (Date.now() - logout.createdAt.getTime() > maxAgeMs) {
    await removeLogout(db, id);
    events.logoutGivenUp({ ...event, ...problem });
  } else {
    await postponeLogouts(db, logout, retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minute);
    events.logoutDelayed({ ...event, ...problem });
  }
}

interface Problem {
  /** The status of the response, or `unreachable`. */
  readonly error: string;
  readonly reason: string;
}

/** The responses that mean success (§2.8), 204 because many frameworks respond with it. */
const successes: ReadonlySet<number> = new Set([200, 204]);

/** Returns undefined after a success. */
async function send(
  { baseUrl, allow, keyRing }: LogoutJobOptions,
  { address, ...logout }: ClaimedLogout & { readonly address: string },
  stopping: AbortSignal,
): Promise<Problem | undefined> {
  const token = await signLogoutToken(keyRing(), { ...logout, issuer: baseUrl });
  try {
    const status = await postToPublic({
      address,
      form: { logout_token: token },
      userAgent: `Linnet (+${baseUrl})`,
      limits,
      rules: { allow, ports },
      signal: stopping,
    });
    if (successes.has(status)) return undefined;
    return { error: String(status), reason: `the response has the status ${String(status)}; 200 or 204 is expected` };
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { error: 'unreachable', reason: 'no response within 5 seconds, or the address is not a public one' };
  }
}
