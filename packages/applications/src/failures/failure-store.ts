/** The table `request_log`: failed requests of applications, for their owners. A repeat is counted in the row of the first. */
import { createHash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { isFailureCause, tokenCauses } from './causes.ts';
import { failureDetails } from './failure.ts';
import type { Failure, FailureKind, NewFailure } from './failure.ts';
import { joinRepeats, maxPerMinute, maxRequestIds } from './repeats.ts';

/**
 * Per application, of the API and of the authorization server each, and of authenticated requests and others each: errors of one do not
 * displace those of the other.
 */
const maxPerDay = 2000;

/** SQL: how many failures of the same application and source appeared after `since`, without repeats, up to `limit`. */
const recent = (since: string, limit: number) => `(
      SELECT count(*) FROM (
        SELECT 1 FROM request_log r WHERE r.client_id = numbered."clientId" AND r.at > now() - interval '${since}'
           AND r.first_at > now() - interval '${since}' AND (r.kind::text = 'api') = numbered."isApi" AND r.authenticated = numbered.authenticated LIMIT ${String(limit)}
      ) counted
    )`;

const insertStatement = statement<readonly [failures: string], never>(
  'request_log_insert',
  `INSERT INTO request_log AS stored (client_id, fingerprint, at, first_at, times, kind, endpoint, error, reason, presented,
                                      registered, cause, details, request_ids, status, authenticated)
   SELECT "clientId", fingerprint, at, "firstAt", times, kind, endpoint, error, reason, presented, registered, cause, details,
          "requestIds", status, authenticated
     FROM (
       SELECT given.*, kind::text = 'api' AS "isApi",
              row_number() OVER (PARTITION BY "clientId", kind::text = 'api', authenticated, "isRepeat") AS number
         FROM (
           SELECT given.*, EXISTS (SELECT 1 FROM request_log r
                                    WHERE r.client_id = "clientId" AND r.fingerprint = given.fingerprint) AS "isRepeat"
             FROM jsonb_to_recordset($1::jsonb) AS given ("clientId" text, fingerprint uuid, at timestamptz, "firstAt" timestamptz, times bigint,
               kind request_failure_kind, endpoint text, error text, reason text, presented text, registered text, cause text,
               details jsonb, "requestIds" uuid[], status smallint, authenticated boolean)
         ) given
        WHERE EXISTS (SELECT 1 FROM application a WHERE a.client_id = "clientId" AND a.owner_id IS NOT NULL)
     ) numbered
    WHERE "isRepeat" OR number <= LEAST(${String(maxPerMinute)} - ${recent('1 minute', maxPerMinute)},
                                        ${String(maxPerDay)} - ${recent('1 day', maxPerDay)})
    ORDER BY "clientId", fingerprint
   ON CONFLICT (client_id, fingerprint) DO UPDATE
      SET at = GREATEST(stored.at, EXCLUDED.at), first_at = LEAST(stored.first_at, EXCLUDED.first_at),
          times = stored.times + EXCLUDED.times,
          request_ids = (EXCLUDED.request_ids || stored.request_ids)[1:${String(maxRequestIds)}]`,
);

/** Inserts all in one statement, except those above the limits and those of applications that nobody owns. */
export async function insertFailures(db: Queryable, failures: readonly NewFailure[]): Promise<void> {
  const rows = new Map<string, NewFailure>();
  for (const failure of failures) {
    const fingerprint = toFingerprint(failure);
    const known = rows.get(fingerprint);
    rows.set(fingerprint, known === undefined ? failure : joinRepeats(known, failure));
  }
  const given = [...rows].map(([fingerprint, { requestId, earlierRequestIds = [], ...failure }]) => {
    const requestIds = requestId === undefined ? earlierRequestIds : [requestId, ...earlierRequestIds];
    return { authenticated: false, times: 1, firstAt: failure.at, ...failure, fingerprint, requestIds };
  });
  await db.query(insertStatement, [JSON.stringify(given)]);
}

/** Equal for repeats, and only for them: a UUID of the hash of everything but time and response. */
function toFingerprint(failure: NewFailure): string {
  const { clientId, authenticated = false, kind, cause, details, endpoint, error, reason } = failure;
  const { presented, registered, status } = failure;
  const same = [clientId, authenticated, kind, cause, endpoint, error, reason, presented, registered, status];
  const entries = Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([...same, entries]))
    .digest('hex')
    .slice(0, 32);
}

export interface ListedFailure extends Omit<Failure, 'presented' | 'registered' | 'status'> {
  readonly id: number;
  /** Of the last repeat. */
  readonly at: Date;
  readonly firstAt: Date;
  readonly times: number;
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
  /** Only those in which the application authenticated. */
  readonly authenticated?: boolean | undefined;
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
  isAuthenticated: boolean,
  before: number | null,
];
type ListRow = Omit<ListedFailure, 'cause' | 'details'> & { readonly cause: string | null; readonly details: unknown };

const listStatement = statement<ListParams, ListRow>(
  'request_log_list',
  `SELECT id, at, kind::text AS kind, endpoint, error, reason, presented, registered, cause, details,
          COALESCE($4::uuid, request_ids[1])::text AS "requestId", status, first_at AS "firstAt", times
     FROM request_log
    WHERE client_id = $1 AND at > now() - ${lifetime} AND ($2::text IS NULL OR kind::text = $2::text)
      AND ($3::int IS NULL OR status = $3::int) AND ($4::uuid IS NULL OR $4::uuid = ANY (request_ids))
      AND (authenticated OR NOT $5::boolean)
      AND ($6::bigint IS NULL OR (at, id) < (SELECT at, id FROM request_log WHERE id = $6 AND client_id = $1))
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
  { kind, status, requestId, authenticated = false, before }: FailureFilter = {},
): Promise<FailurePage> {
  const params = [clientId, kind ?? null, status ?? null, requestId ?? null, authenticated, before ?? null] as const;
  const rows = await db.query(listStatement, params);
  const list = rows.map((row) => ({ ...row, cause: toCause(row.cause), details: toDetails(row.details) }));
  return { list: list.slice(0, failuresPerPage), hasOlder: list.length > failuresPerPage };
}

const countStatement = statement<readonly [clientId: string], { readonly failures: number }>(
  'request_log_count',
  `SELECT count(*) AS failures FROM request_log WHERE client_id = $1 AND at > now() - interval '1 day'`,
);

/** How many requests failed in the last 24 hours, without repeats. The caller must check ownership. */
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
