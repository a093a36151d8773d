import { setTimeout as delay } from 'node:timers/promises';

import { DatabaseImpaired, toDatabaseError } from './database-error.ts';
import type { Impairment } from './database-error.ts';
import { statement } from '../statement/statement.ts';
import type { Transactional } from '../statement/transaction.ts';

/** Whether writes succeed. `reason` is absent if they do. */
interface WriteState {
  readonly ok: boolean;
  readonly reason?: Impairment;
}

export type WriteCheck = () => Promise<WriteState>;

/** What the statements of a process have found out about the database. */
interface Impairments {
  /** `toDatabaseError`; remembers an impairment. */
  readonly translate: (error: unknown) => unknown;
  /** The last one, and when it was found: milliseconds of `performance.now()`. */
  readonly latest: () => FoundImpairment | undefined;
}

interface FoundImpairment {
  readonly reason: Impairment;
  readonly foundAt: number;
}

export function watchImpairments(): Impairments {
  let latest: FoundImpairment | undefined;
  return {
    translate: (error) => {
      const translated = toDatabaseError(error);
      if (translated instanceof DatabaseImpaired) latest = { reason: translated.outage, foundAt: performance.now() };
      return translated;
    },
    latest: () => latest,
  };
}

const intervalMs = 5000;
/** A write that takes longer leaves the last result as it is. */
const patienceMs = 1000;

const useLittleMemory = statement<readonly [], unknown>(
  'write_check_memory',
  `SELECT set_config('work_mem', '64kB', true)`,
);

/**
 * Does not fit into that memory, so it takes a temporary file, which PostgreSQL removes. A row alone may fit into a page
 * that exists already.
 */
const takeSpace = statement<readonly [], unknown>(
  'write_check_space',
  'SELECT count(*) FROM generate_series(1, 20000)',
);

/** An unlogged row, which is overwritten. */
const writeRow = statement<readonly [], never>(
  'write_check_row',
  `INSERT INTO rate_limit (key, points, expire) VALUES ('write-check', 1, now() + interval '1 day')
   ON CONFLICT (key) DO UPDATE SET expire = EXCLUDED.expire`,
);

/** Writes a row and a temporary file. @throws DatabaseImpaired if PostgreSQL refuses that */
export async function requireWrites(db: Pick<Transactional, 'transaction'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(useLittleMemory, []);
    await tx.query(takeSpace, []);
    await tx.query(writeRow, []);
  });
}

/**
 * Writes fail from the first statement that finds an impairment until a write of this check succeeds. It writes at most
 * every five seconds, and only if somebody asks.
 */
export function createWriteCheck(db: Pick<Transactional, 'transaction'>, { latest }: Impairments): WriteCheck {
  let checkedAt = -Infinity;
  let succeededAt = -Infinity;
  let running: Promise<void> | undefined;

  const write = async () => {
    const startedAt = performance.now();
    checkedAt = startedAt;
    await requireWrites(db);
    succeededAt = startedAt;
  };

  return async () => {
    if (running === undefined && performance.now() - checkedAt >= intervalMs) {
      // `latest` remembers why it failed. Other failures, such as an outage, say nothing about writes.
      running = write()
        .catch(() => undefined)
        .finally(() => (running = undefined));
    }
    if (running !== undefined) await Promise.race([running, delay(patienceMs, undefined, { ref: false })]);
    const found = latest();
    return found === undefined || found.foundAt < succeededAt ? { ok: true } : { ok: false, reason: found.reason };
  };
}
