import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '../log/logger.ts';

/** One dependency of the service, such as its database. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** True if the process is still useful when the check fails: the status is then 200 with `degraded`. */
  readonly isOptional?: boolean;
  /** Why it failed, in one word. Public: no names, addresses or messages. */
  readonly reason?: string;
}

/** A rejected promise means "not ready". */
export type Readiness = () => Promise<readonly ReadinessCheck[]>;

export interface ReadinessReport {
  /** `degraded`: only optional checks fail. */
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'draining';
  readonly checks: Readonly<Record<string, boolean>>;
  /** Why checks failed, if that is known. */
  readonly reasons?: Readonly<Record<string, string>>;
}

const timeoutMs = 2500;

/**
 * Wraps `readiness` for a public endpoint: concurrent callers share one check, and a check that hangs counts as failed
 * after 2.5 s.
 */
export function createReadinessReporter(readiness: Readiness, logger: Logger): () => Promise<ReadinessReport> {
  let running: Promise<ReadinessReport> | undefined;
  return () => {
    running ??= report(readiness, logger).finally(() => (running = undefined));
    return running;
  };
}

async function report(readiness: Readiness, logger: Logger): Promise<ReadinessReport> {
  const timeout = new AbortController();
  try {
    const checks = await Promise.race([
      readiness(),
      delay(timeoutMs, undefined, { signal: timeout.signal, ref: false }),
    ]);
    if (checks === undefined) return { status: 'unavailable', checks: {} };
    return toReport(checks);
  } catch (error) {
    logger.warn({ err: error }, 'readiness check failed');
    return { status: 'unavailable', checks: {} };
  } finally {
    timeout.abort();
  }
}

function toReport(checks: readonly ReadinessCheck[]): ReadinessReport {
  const failed = checks.filter(({ ok }) => !ok);
  const reasons = failed.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason] as const]));
  return {
    status: toStatus(failed),
    checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])),
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
  };
}

function toStatus(failed: readonly ReadinessCheck[]): ReadinessReport['status'] {
  if (failed.length === 0) return 'ready';
  return failed.every(({ isOptional }) => isOptional === true) ? 'degraded' : 'unavailable';
}

interface ProcessParts {
  /** Rejects without keys. */
  readonly keys: () => Promise<unknown>;
  /** The revocations. */
  readonly feed: { readonly ready: () => Promise<void> };
  readonly media: { readonly readiness: Readiness };
  /** With CACHE_URL. */
  readonly cache: { readonly isReady: () => boolean } | undefined;
}

/** What a process needs besides a database that responds. */
export function createProcessChecks({ keys, feed, media, cache }: ProcessParts): Readiness {
  return async () => {
    const [loaded, revocations, store] = await Promise.all([
      succeeds(keys()),
      succeeds(feed.ready()),
      media.readiness(),
    ]);
    return [
      { name: 'keys', ok: loaded },
      { name: 'revocations', ok: revocations },
      ...store,
      // Without the cache the service works, but counts less exactly.
      ...(cache === undefined ? [] : [{ name: 'cache', ok: cache.isReady(), isOptional: true }]),
    ];
  };
}

interface ReadinessParts {
  readonly db: { readonly checkWrites: () => Promise<Pick<ReadinessCheck, 'ok' | 'reason'>> };
  /** Rejects if the database cannot be reached. */
  readonly ping: () => Promise<unknown>;
  readonly checks: Readiness;
}

/** The database, and the other checks. */
export function createReadiness({ db, ping, checks }: ReadinessParts): Readiness {
  return async () => {
    const [database, writes, others] = await Promise.all([succeeds(ping()), db.checkWrites(), checks()]);
    return [
      { name: 'database', ok: database },
      { name: 'writes', isOptional: true, ...(database ? writes : { ok: false }) },
      ...others,
    ];
  };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}
