import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from './logger.ts';

/** One dependency of the service, such as its database. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** A rejected promise means "not ready". */
export type Readiness = () => Promise<readonly ReadinessCheck[]>;

export interface ReadinessReport {
  readonly status: 'ready' | 'unavailable' | 'draining';
  readonly checks: Readonly<Record<string, boolean>>;
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
    return {
      status: checks.every(({ ok }) => ok) ? 'ready' : 'unavailable',
      checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])),
    };
  } catch (error) {
    logger.warn({ err: error }, 'readiness check failed');
    return { status: 'unavailable', checks: {} };
  } finally {
    timeout.abort();
  }
}
