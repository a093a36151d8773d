import { DatabaseImpaired } from '@linnet/db/connection/database-error';
import type { Impairment } from '@linnet/db/connection/database-error';
import { requireWrites } from '@linnet/db/connection/write-check';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { CheckFailed, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';

const settingsStatement = statement<readonly [], CommitSettings>(
  'commit_settings',
  `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit`,
);

/** With `off`, PostgreSQL acknowledges commits that are not stored yet. */
type CommitSettings = Readonly<Record<'fsync' | 'synchronous_commit', string>>;

/** Writes a record that nobody reads to the write-ahead log, so that the commit waits until it is stored. */
const commit = statement<readonly [], unknown>('commit', `SELECT pg_logical_emit_message(true, 'linnet doctor', '')`);
const commits = 25;
const slowMs = 10;

/** Measures how long PostgreSQL takes to store a commit, which every write waits for. Warns if it takes long, or does not store it. */
export function checkCommits(db: Queryable): Promise<Check> {
  return runCheck('commits', async () => {
    const risk = findRisk(requireRow(await db.query(settingsStatement, []), settingsStatement));
    if (risk !== undefined) return risk;
    const durations: number[] = [];
    while (durations.length < commits) durations.push(await measureCommit(db));
    return describeCommits(durations);
  });
}

/** The setting with which acknowledged writes can be lost, if any. */
export function findRisk(settings: CommitSettings): Finding | undefined {
  const unsafe = (['fsync', 'synchronous_commit'] as const).find((name) => settings[name] === 'off');
  if (unsafe === undefined) return undefined;
  return {
    detail: `${unsafe} is off: if the database server crashes, writes that were acknowledged are lost.`,
    warning: true,
    remedy: `Remove ${unsafe} from postgresql.conf and from the settings of the role and the database, and reload PostgreSQL.`,
  };
}

async function measureCommit(db: Queryable): Promise<number> {
  const startedAt = performance.now();
  await db.query(commit, []);
  return performance.now() - startedAt;
}

/** `durations`: milliseconds of each commit. */
export function describeCommits(durations: readonly number[]): string | Finding {
  const sorted = durations.toSorted((one, other) => one - other);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const detail = `one takes ${median.toFixed(1)} ms, the slowest of ${String(sorted.length)} took ${longest.toFixed(1)} ms`;
  if (median <= slowMs) return detail;
  return {
    detail: `Every write waits for a commit, and ${detail}.`,
    warning: true,
    remedy:
      'Put the write-ahead log of PostgreSQL on a faster disk, or the database closer to this machine. With synchronous_standby_names, check the standbys too.',
  };
}

const impairmentRemedies: Readonly<Record<Impairment, string>> = {
  'disk-full': 'Free space on the disk of the database server. Linnet recovers by itself.',
  'out-of-memory': 'Give the database server more memory, or lower DATABASE_POOL.',
  'read-only': 'Let DATABASE_URL lead to the primary, and switch default_transaction_read_only off.',
};

/** Writes as readiness does: reads alone do not show that the disk is full, or that the database is read-only. */
export function checkWrites(db: Pick<Transactional, 'transaction'>): Promise<Check> {
  return runCheck('writes', async () => {
    await requireWrites(db).catch((error: unknown) => {
      if (!(error instanceof DatabaseImpaired)) throw error;
      throw new CheckFailed(error.message, impairmentRemedies[error.outage], { cause: error });
    });
    return 'the database writes';
  });
}

const clockStatement = statement<readonly [], { readonly ms: number }>(
  'clock_read',
  'SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8 * 1000 AS ms',
);

const clockToleranceMs = 5000;

/** Tokens end by the clock of the server that reads them, and codes and sessions by that of the database. */
export function checkClock(db: Queryable, now: () => number = Date.now): Promise<Check> {
  return runCheck('clock', async () => {
    const startedAt = now();
    const { ms } = requireRow(await db.query(clockStatement, []), clockStatement);
    const endedAt = now();
    // The database read its clock between both.
    const ahead = Math.max(0, startedAt - ms) - Math.max(0, ms - endedAt);
    const seconds = (Math.abs(ahead) / 1000).toFixed(1);
    if (Math.abs(ahead) <= clockToleranceMs) return `agrees with PostgreSQL to ${seconds} s`;
    throw new CheckFailed(
      `The clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of PostgreSQL.`,
      'Let chrony or systemd-timesyncd set the clocks of both machines.',
    );
  });
}
