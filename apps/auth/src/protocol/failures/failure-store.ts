/** The table `request_log`. */
import type { Queryable } from '@linnet/db/database';
import { retention } from '@linnet/db/retention';
import { statement } from '@linnet/db/statement';
import { createSweep } from '@linnet/db/sweep';

import type { Failure, FailureKind } from './failure.ts';

export interface NewFailure extends Failure {
  readonly clientId: string;
  readonly at: Date;
}

/** Per application. Anyone can send requests in its name, and more rows would tell its owner nothing new. */
const maxPerMinute = 100;

const insertStatement = statement<readonly [failures: string], never>(
  'request_log_insert',
  `INSERT INTO request_log (client_id, at, kind, endpoint, error, reason, presented, registered)
   SELECT "clientId", at, kind, endpoint, error, reason, presented, registered
     FROM (
       SELECT given.*, row_number() OVER (PARTITION BY "clientId") AS number
         FROM jsonb_to_recordset($1::jsonb) AS given ("clientId" text, at timestamptz, kind request_failure_kind,
           endpoint text, error text, reason text, presented text, registered text)
        WHERE EXISTS (SELECT 1 FROM application a WHERE a.client_id = "clientId")
     ) numbered
    WHERE number <= ${String(maxPerMinute)} - (
      SELECT count(*) FROM (
        SELECT 1 FROM request_log r WHERE r.client_id = numbered."clientId" AND r.at > now() - interval '1 minute'
         LIMIT ${String(maxPerMinute)}
      ) recent
    )`,
);

/** Inserts all in one statement, except those of deleted applications and those above the limit. */
export async function insertFailures(db: Queryable, failures: readonly NewFailure[]): Promise<void> {
  await db.query(insertStatement, [JSON.stringify(failures)]);
}

export interface ListedFailure extends Omit<Failure, 'presented' | 'registered'> {
  readonly id: number;
  readonly at: Date;
  readonly presented: string | null;
  readonly registered: string | null;
}

const lifetime = `interval '${retention.request_log.row}'`;

const listStatement = statement<readonly [clientId: string, kind: FailureKind | null], ListedFailure>(
  'request_log_list',
  `SELECT id, at, kind::text AS kind, endpoint, error, reason, presented, registered FROM request_log
    WHERE client_id = $1 AND at > now() - ${lifetime} AND ($2::text IS NULL OR kind::text = $2::text)
    ORDER BY at DESC, id DESC LIMIT 50`,
);

/** The newest 50 failures of the last 7 days, newest first. The caller must check ownership. */
export async function findFailures(
  db: Queryable,
  clientId: string,
  kind: FailureKind | undefined,
): Promise<readonly ListedFailure[]> {
  return await db.query(listStatement, [clientId, kind ?? null]);
}

/** Deletes rows older than 7 days. */
export const sweepFailures = createSweep('request_log', {
  table: 'request_log',
  where: `at < now() - ${lifetime} ORDER BY at`,
});
