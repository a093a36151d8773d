import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { runCheck } from './check.ts';
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
