/** The table `request_log`: failed requests of applications, for their owners. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { isFailureCause, tokenCauses } from './causes.ts';
import { failureDetails, maxPerMinute } from './failure.ts';
import type { Failure, FailureKind, NewFailure } from './failure.ts';

/**
 * Per application, of the API and of the authorization server each, and of authenticated requests and others each: errors of one do not
 * displace those of the other.
 */
const maxPerDay = 2000;

/** SQL: how many stored failures of the same application and source there are after `since`, up to `limit`. */
const recent = (since: string, limit: number) => `(
      SELECT count(*) FROM (
        SELECT 1 FROM request_log r WHERE r.client_id = numbered."clientId" AND r.at > now() - interval '${since}'
           AND (r.kind::text = 'api') = numbered."isApi" AND r.authenticated = numbered.authenticated LIMIT ${String(limit)}
      ) counted
    )`;

const insertStatement = statement<readonly [failures: string], never>(
  'request_log_insert',
  `INSERT INTO request_log (client_id, at, kind, endpoint, error, reason, presented, registered, cause, details,
                            request_id, status, authenticated)
   SELECT "clientId", at, kind, endpoint, error, reason, presented, registered, cause, details, "requestId", status, authenticated
     FROM (
       SELECT given.*, kind::text = 'api' AS "isApi",
              row_number() OVER (PARTITION BY "clientId", kind::text = 'api', authenticated) AS number
         FROM jsonb_to_recordset($1::jsonb) AS given ("clientId" text, at timestamptz, kind request_failure_kind,
           endpoint text, error text, reason text, presented text, registered text, cause text, details jsonb,
           "requestId" uuid, status smallint, authenticated boolean)
        WHERE EXISTS (SELECT 1 FROM application a WHERE a.client_id = "clientId" AND a.owner_id IS NOT NULL)
     ) numbered
    WHERE number <= LEAST(${String(maxPerMinute)} - ${recent('1 minute', maxPerMinute)},
                          ${String(maxPerDay)} - ${recent('1 day', maxPerDay)})`,
);

/** Inserts all in one statement, except those above the limits and those of applications that nobody owns. */
export async function insertFailures(db: Queryable, failures: readonly NewFailure[]): Promise<void> {
  await db.query(insertStatement, [JSON.stringify(failures.map((failure) => ({ authenticated: false, ...failure })))]);
}

export interface ListedFailure extends Omit<Failure, 'presented' | 'registered' | 'status'> {
  readonly id: number;
  readonly at: Date;
  readonly presented: string | null;
  readonly registered: string | null;
  readonly requestId: string | null;
  readonly status: number | null;
}

/** Which failures to list. */
export interface FailureFilter {
  readonly kind?: FailureKind | undefined;
  /** Of the response, for errors of the API. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Those before this one. */
  readonly before?: number | undefined;
}

const lifetime = `interval '${retention.request_log.row}'`;
/** The page stays below 50 KB, whatever was sent. */
const failuresPerPage = 10;

type ListParams = readonly [
  clientId: string,
  kind: FailureKind | null,
  status: number | null,
  requestId: string | null,
  before: number | null,
];
type ListRow = Omit<ListedFailure, 'cause' | 'details'> & { readonly cause: string | null; readonly details: unknown };

const listStatement = statement<ListParams, ListRow>(
  'request_log_list',
  `SELECT id, at, kind::text AS kind, endpoint, error, reason, presented, registered, cause, details,
          request_id::text AS "requestId", status
     FROM request_log
    WHERE client_id = $1 AND at > now() - ${lifetime} AND ($2::text IS NULL OR kind::text = $2::text)
      AND ($3::int IS NULL OR status = $3::int) AND ($4::uuid IS NULL OR request_id = $4::uuid)
      AND ($5::bigint IS NULL OR (at, id) < (SELECT at, id FROM request_log WHERE id = $5 AND client_id = $1))
    ORDER BY at DESC, id DESC LIMIT ${String(failuresPerPage + 1)}`,
);

export interface FailurePage {
  /** Newest first. */
  readonly list: readonly ListedFailure[];
  readonly hasOlder: boolean;
}

/** Failures of the last 7 days. The caller must check ownership. */
export async function findFailures(
  db: Queryable,
  clientId: string,
  { kind, status, requestId, before }: FailureFilter = {},
): Promise<FailurePage> {
  const params = [clientId, kind ?? null, status ?? null, requestId ?? null, before ?? null] as const;
  const rows = await db.query(listStatement, params);
  const list = rows.map((row) => ({ ...row, cause: toCause(row.cause), details: toDetails(row.details) }));
  return { list: list.slice(0, failuresPerPage), hasOlder: list.length > failuresPerPage };
}

const countStatement = statement<readonly [clientId: string], { readonly failures: number }>(
  'request_log_count',
  `SELECT count(*) AS failures FROM request_log WHERE client_id = $1 AND at > now() - interval '1 day'`,
);

/** How many requests failed in the last 24 hours. The caller must check ownership. */
export async function countRecentFailures(db: Queryable, clientId: string): Promise<number> {
  return requireRow(await db.query(countStatement, [clientId]), countStatement).failures;
}

/** A server of the next version may store a cause that this one does not know. */
function toCause(cause: string | null): Failure['cause'] {
  if (cause === null) return undefined;
  return isFailureCause(cause) ? cause : tokenCauses.find((known) => known === cause);
}

function toDetails(details: unknown): Failure['details'] {
  const { success, data } = failureDetails.safeParse(details);
  return success ? data : {};
}

/** Deletes rows older than 7 days. */
export const sweepFailures = createSweep('request_log', {
  table: 'request_log',
  where: `at < now() - ${lifetime} ORDER BY at`,
});
