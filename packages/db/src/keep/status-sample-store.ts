/** The table `status_sample`: in which minutes the parts of the service worked. */
import { statement } from '../statement/statement.ts';
import type { Queryable } from '../statement/transaction.ts';
import { retention } from './retention.ts';
import { createSweep } from './sweep.ts';

/** Parts of the service, as people know them. */
export type StatusPart = 'sign_in' | 'api' | 'database' | 'media';

/** A result of readiness. */
interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly isOptional?: boolean;
}

const recordStatement = statement<readonly [parts: readonly StatusPart[]], never>(
  'status_record',
  `INSERT INTO status_sample (minute, part) SELECT date_trunc('minute', now()), unnest($1::status_part[]) ON CONFLICT DO NOTHING`,
);

interface RecorderOptions {
  readonly db: Queryable;
  /** The server that this process is. */
  readonly server: 'sign_in' | 'api';
  /** What it needs besides the database, which works if it takes the record. */
  readonly checks: () => Promise<readonly Check[]>;
}

/**
 * The job that records what works, with one statement a minute. It runs three times a minute: a server that restarts, or whose turn comes
 * late, misses none. A minute in which something failed is checked again, so it counts if any server found the part working.
 */
export function createStatusJob({ db, server, checks }: RecorderOptions) {
  let recorded = 0;
  return {
    name: `status-${server.replace('_', '-')}`,
    everyMs: 20_000,
    run: async () => {
      const minute = Math.floor(Date.now() / 60_000);
      if (minute === recorded) return;
      const found = await checks();
      const isReady = found.every(({ ok, isOptional }) => ok || isOptional === true);
      const hasMedia = found.some(({ name, ok }) => name === 'media' && ok);
      await db.query(recordStatement, [
        ['database', ...(hasMedia ? (['media'] as const) : []), ...(isReady ? [server] : [])],
      ]);
      if (isReady && hasMedia) recorded = minute;
    },
  };
}

/** When a part worked: from the first of these times until the second. */
interface WorkingSpan {
  readonly part: StatusPart;
  readonly from: Date;
  readonly until: Date;
}

export interface StatusHistory {
  /** By the clock of the database. */
  readonly now: Date;
  /** When the service was set up. */
  readonly since: Date;
  /** In the last 24 hours, in ascending order. */
  readonly spans: readonly WorkingSpan[];
}

type HistoryRow = Pick<StatusHistory, 'now' | 'since'> & (WorkingSpan | { readonly part: null });

const historyStatement = statement<readonly [], HistoryRow>(
  'status_history',
  `SELECT now() AS now, coalesce((SELECT min(created_at) FROM signing_key), now()) AS since,
          part, lower(span) AS "from", upper(span) AS until
     FROM (SELECT) one LEFT JOIN (
       SELECT part, unnest(range_agg(tstzrange(minute, minute + interval '1 minute'))) AS span
         FROM status_sample WHERE minute > now() - interval '1442 minutes' GROUP BY part) spans ON true
    ORDER BY part, span`,
);

/** @throws DatabaseUnavailable */
export async function findStatusHistory(db: Queryable): Promise<StatusHistory> {
  const rows = await db.query(historyStatement, []);
  const [{ now, since } = { now: new Date(), since: new Date() }] = rows;
  return { now, since, spans: rows.filter((row) => row.part !== null) };
}

export const sweepStatusSamples = createSweep('status_sample', {
  table: 'status_sample',
  where: `minute < now() - interval '${retention.status_sample.minute}' ORDER BY minute`,
});
