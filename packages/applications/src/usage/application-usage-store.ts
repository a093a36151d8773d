/**
 * The tables `application_usage`, tokens and API requests per application and day (UTC), and `watched_request`, the latest successful
 * requests of applications that their owners watch.
 */
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { createSumBuffer } from '@linnet/db/statement/sum-buffer';

/** Counts for the owners of applications. `SumBuffer` describes when they are stored. */
export interface ApplicationUsage {
  /** The application received a token. */
  token(clientId: string, requestId?: string): void;
  /** The application made an API request. `endpoint`: method and route. */
  call(clientId: string, call: Call): void;
  flush(): Promise<void>;
}

interface Call {
  readonly isError: boolean;
  readonly endpoint?: string | undefined;
  readonly requestId?: string | undefined;
}

interface Success {
  readonly clientId: string;
  readonly at: number;
  readonly endpoint: string;
  readonly requestId?: string | undefined;
}

interface Sum {
  readonly tokens: number;
  readonly calls: number;
  readonly errors: number;
  readonly lastUsedAt: number;
}

/** Stores sums, and returns the applications among them that are watched. */
const addStatement = statement<readonly [sums: string], { readonly clientId: string }>(
  'application_usage_add',
  // Locks in the order of the key to avoid deadlocks.
  `WITH added AS (
   INSERT INTO application_usage AS stored (client_id, day, tokens, calls, errors, last_used_at)
   SELECT a.client_id, given.day, given.tokens, given.calls, given.errors, to_timestamp(given."lastUsedAt" / 1000.0)
     FROM jsonb_to_recordset($1::jsonb)
            AS given ("clientId" text, day date, tokens bigint, calls bigint, errors bigint, "lastUsedAt" bigint)
     JOIN application a ON a.client_id = given."clientId"
    ORDER BY a.client_id, given.day
   ON CONFLICT (client_id, day) DO UPDATE SET
     tokens = stored.tokens + EXCLUDED.tokens, calls = stored.calls + EXCLUDED.calls,
     errors = stored.errors + EXCLUDED.errors, last_used_at = GREATEST(stored.last_used_at, EXCLUDED.last_used_at)
   RETURNING client_id
   )
   SELECT client_id AS "clientId" FROM application WHERE client_id IN (SELECT client_id FROM added) AND watched_until > now()`,
);

/** So many successful requests of an application are listed, and not many more stored. */
const maxWatched = 100;
/** Between two flushes, so many of an application are remembered, of so many applications: whether they are watched is known at the flush. */
const [maxRemembered, maxApplications] = [20, 1000];

const watchedStatement = statement<readonly [successes: string], never>(
  'watched_request_add',
  `WITH given AS (
     SELECT a.client_id, to_timestamp(given.at / 1000.0) AS at, given.endpoint, given."requestId"
       FROM jsonb_to_recordset($1::jsonb) AS given ("clientId" text, at bigint, endpoint text, "requestId" uuid)
       JOIN application a ON a.client_id = given."clientId"
   ), deleted AS (
     DELETE FROM watched_request w USING (SELECT DISTINCT client_id FROM given) watched
      WHERE w.client_id = watched.client_id AND w.id <= (
        SELECT id FROM watched_request l WHERE l.client_id = watched.client_id ORDER BY id DESC OFFSET ${String(maxWatched - 1)} LIMIT 1
      )
   )
   INSERT INTO watched_request (client_id, at, endpoint, request_id) SELECT * FROM given ORDER BY client_id, at`,
);

const dayMs = 86_400_000;

/** Counts of deleted applications are dropped. What is watched may be lost when the database fails; what is counted is not. */
export function bufferApplicationUsage(db: Queryable, now: () => number = Date.now): ApplicationUsage {
  let remembered = new Map<string, Success[]>();
  const watched = new Set<string>();
  const buffer = createSumBuffer<Sum>({
    join: (one, other) => ({
      tokens: one.tokens + other.tokens,
      calls: one.calls + other.calls,
      errors: one.errors + other.errors,
      lastUsedAt: Math.max(one.lastUsedAt, other.lastUsedAt),
    }),
    store: async (sums) => {
      const given = [...sums].map(([key, sum]) => ({ ...readKey(key), ...sum }));
      for (const { clientId } of await db.query(addStatement, [JSON.stringify(given)])) watched.add(clientId);
    },
  });
  const add = (clientId: string, at: number, sum: Omit<Sum, 'lastUsedAt'>): void => {
    buffer.add(`${String(Math.floor(at / dayMs))} ${clientId}`, { ...sum, lastUsedAt: at });
  };
  const remember = (success: Success): void => {
    const known = remembered.get(success.clientId);
    if (known !== undefined && known.length < maxRemembered) known.push(success);
    else if (known === undefined && remembered.size < maxApplications) remembered.set(success.clientId, [success]);
  };
  return {
    token: (clientId, requestId) => {
      const at = now();
      add(clientId, at, { tokens: 1, calls: 0, errors: 0 });
      remember({ clientId, at, endpoint: 'POST /oauth/token', requestId });
    },
    call: (clientId, { isError, endpoint, requestId }) => {
      const at = now();
      add(clientId, at, { tokens: 0, calls: 1, errors: isError ? 1 : 0 });
      if (!isError && endpoint !== undefined) remember({ clientId, at, endpoint, requestId });
    },
    flush: async () => {
      const successes = remembered;
      remembered = new Map();
      watched.clear();
      await buffer.flush();
      const seen = [...watched].flatMap((clientId) => successes.get(clientId) ?? []);
      if (seen.length > 0) await db.query(watchedStatement, [JSON.stringify(seen)]);
    },
  };
}

function readKey(key: string): { readonly clientId: string; readonly day: string } {
  const [day, clientId] = key.split(' ');
  if (day === undefined || clientId === undefined) throw new TypeError('a key without a day and a client id');
  return { clientId, day: new Date(Number(day) * dayMs).toISOString().slice(0, 10) };
}

/** Deletes old days, but keeps the latest day of each application, however old: it shows when the application was last used. */
export const sweepApplicationUsage = createSweep('application_usage', {
  table: 'application_usage',
  where: `day < current_date - interval '${retention.application_usage.day}'
    AND EXISTS (SELECT 1 FROM application_usage later
                 WHERE later.client_id = application_usage.client_id AND later.day > application_usage.day)
    ORDER BY day`,
});

const watchStatement = statement<readonly [clientId: string, minutes: number], never>(
  'application_watch',
  'UPDATE application SET watched_until = now() + make_interval(mins => $2) WHERE client_id = $1',
);

/** Keeps the successful requests of the application for the next minutes; with 0, no longer. The caller must check ownership. */
export async function watchApplication(db: Queryable, clientId: string, minutes: number): Promise<void> {
  await db.query(watchStatement, [clientId, minutes]);
}

/** What an owner sees of the successful requests of an application. */
export interface WatchedRequests {
  /** When it is no longer watched; null if it is not. */
  readonly until: Date | null;
  /** Newest first, of the last hour. */
  readonly list: readonly { readonly at: Date; readonly endpoint: string; readonly requestId: string | null }[];
}

const listWatchedStatement = statement<
  readonly [clientId: string],
  {
    readonly until: Date | null;
    readonly at: Date | null;
    readonly endpoint: string;
    readonly requestId: string | null;
  }
>(
  'watched_request_list',
  `SELECT CASE WHEN a.watched_until > now() THEN a.watched_until END AS until, w.at, w.endpoint, w.request_id::text AS "requestId"
     FROM application a LEFT JOIN LATERAL (
       SELECT * FROM watched_request WHERE client_id = a.client_id AND at > now() - interval '${retention.watched_request.row}'
        ORDER BY id DESC LIMIT ${String(maxWatched)}
     ) w ON true
    WHERE a.client_id = $1 ORDER BY w.at DESC, w.id DESC`,
);

/** The caller must check ownership. */
export async function findWatchedRequests(db: Queryable, clientId: string): Promise<WatchedRequests> {
  const rows = await db.query(listWatchedStatement, [clientId]);
  const list = rows.flatMap(({ at, endpoint, requestId }) => (at === null ? [] : [{ at, endpoint, requestId }]));
  return { until: rows[0]?.until ?? null, list };
}

/** Deletes rows older than an hour. */
export const sweepWatchedRequests = createSweep('watched_request', {
  table: 'watched_request',
  where: `at < now() - interval '${retention.watched_request.row}' ORDER BY at`,
});
