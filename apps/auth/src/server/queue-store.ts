import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Metrics } from '@linnet/service/metrics/metrics';

/** A table whose rows wait for a job, or for an operator. */
interface Queue {
  readonly queue: string;
  /** At most 10,000. */
  readonly length: number;
  /** Seconds since the first row became due; null if none is due. */
  readonly delay: number | null;
}

const queuesStatement = statement<readonly [], Queue>(
  'queues_read',
  `SELECT 'mail' AS queue, (SELECT count(*)::integer FROM (SELECT FROM mail LIMIT 10000) AS waiting) AS length,
          EXTRACT(EPOCH FROM now() - (SELECT min(due_at) FROM mail WHERE due_at < now()))::float8 AS delay
   UNION ALL
   SELECT 'logout-notices', (SELECT count(*)::integer FROM (SELECT FROM backchannel_logout LIMIT 10000) AS waiting),
          EXTRACT(EPOCH FROM now() - (SELECT min(due_at) FROM backchannel_logout WHERE due_at < now()))::float8
   UNION ALL
   SELECT 'webhooks', (SELECT count(*)::integer FROM (SELECT FROM webhook_delivery WHERE state = 'pending' LIMIT 10000) AS waiting),
          EXTRACT(EPOCH FROM now() - (SELECT min(due_at) FROM webhook_delivery WHERE state = 'pending' AND due_at < now()))::float8
   UNION ALL
   SELECT 'events', (SELECT count(*)::integer FROM (SELECT FROM outbox LIMIT 10000) AS waiting),
          EXTRACT(EPOCH FROM now() - (SELECT created_at FROM outbox ORDER BY id LIMIT 1))::float8
   UNION ALL
   SELECT 'timelines', (SELECT count(*)::integer FROM (SELECT FROM timeline_change LIMIT 10000) AS waiting), NULL
   UNION ALL
   SELECT 'removed-media', (SELECT count(*)::integer FROM (SELECT FROM removed_media_file LIMIT 10000) AS waiting), NULL
   UNION ALL
   SELECT 'reports', (SELECT count(*)::integer FROM (SELECT FROM report_case WHERE resolved_at IS NULL LIMIT 10000) AS waiting), NULL`,
);

const queues = ['mail', 'logout-notices', 'webhooks', 'events', 'timelines', 'removed-media'] as const;
/** Those whose rows say since when they wait. */
const timed: ReadonlySet<string> = new Set(['mail', 'logout-notices', 'webhooks', 'events']);

/** Shows the queues in the metrics. One statement, whenever they are read. */
export function watchQueues({ watch }: Pick<Metrics, 'watch'>, db: Queryable): void {
  let reading: Promise<readonly Queue[]> | undefined;
  const find = async (name: string) => {
    reading ??= db.query(queuesStatement, []).finally(() => (reading = undefined));
    return (await reading).find(({ queue }) => queue === name);
  };
  watch('reportsOpen', {}, async () => (await find('reports'))?.length);
  for (const queue of queues) {
    watch('queueLength', { queue }, async () => (await find(queue))?.length);
    if (timed.has(queue)) watch('queueDelay', { queue }, async () => (await find(queue))?.delay ?? 0);
  }
}
