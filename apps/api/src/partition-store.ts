import { maintainPartitions, partitionedTables, readSecondsAhead } from '@linnet/db/keep/partitions';
import type { Transactional, Queryable } from '@linnet/db/statement/transaction';
import type { Job } from '@linnet/service/jobs/job';
import type { Metrics } from '@linnet/service/metrics/metrics';

interface Dependencies {
  readonly db: Queryable & Transactional;
  readonly metrics?: Pick<Metrics, 'watch'> | undefined;
}

/** The job that creates and drops partitions. The metrics show how far ahead it has created them. */
export function keepPartitions({ db, metrics }: Dependencies, everyMs: number): Job {
  const tables = Object.values(partitionedTables);
  for (const each of tables) {
    metrics?.watch('partitionsAhead', { table: each.table }, async () => await readSecondsAhead(db, each));
  }
  return {
    name: 'partitions',
    everyMs,
    run: async (stopping) => {
      for (const table of tables) await maintainPartitions(db, table, stopping);
    },
  };
}
