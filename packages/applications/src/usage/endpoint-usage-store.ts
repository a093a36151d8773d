/** The table `endpoint_usage`: API requests per application, day (UTC) and endpoint, by class of their status. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import { createSumBuffer } from '@linnet/db/statement/sum-buffer';

/** Counts for the owners of applications. `SumBuffer` describes when they are stored. */
interface EndpointUsage {
  /** `endpoint`: method and route, such as `GET /api/v2.0/users/show`; at most 100 characters. */
  call(clientId: string, endpoint: string, status: number): void;
  flush(): Promise<void>;
}

interface EndpointCounts {
  /** 2xx and 3xx. */
  readonly succeeded: number;
  /** 4xx. */
  readonly rejected: number;
  /** 5xx. */
  readonly failed: number;
}

const addStatement = statement<readonly [sums: string], never>(
  'endpoint_usage_add',
  // Locks in the order of the key to avoid deadlocks.
  `INSERT INTO endpoint_usage AS stored (client_id, day, endpoint, succeeded, rejected, failed)
   SELECT a.client_id, given.day, given.endpoint, given.succeeded, given.rejected, given.failed
     FROM jsonb_to_recordset($1::jsonb)
            AS given ("clientId" text, day date, endpoint text, succeeded bigint, rejected bigint, failed bigint)
     JOIN application a ON a.client_id = given."clientId"
    ORDER BY a.client_id, given.day, given.endpoint
   ON CONFLICT (client_id, day, endpoint) DO UPDATE SET succeeded = stored.succeeded + EXCLUDED.succeeded,
     rejected = stored.rejected + EXCLUDED.rejected, failed = stored.failed + EXCLUDED.failed`,
);

const dayMs = 86_400_000;
const success: EndpointCounts = { succeeded: 1, rejected: 0, failed: 0 };
const rejection: EndpointCounts = { succeeded: 0, rejected: 1, failed: 0 };
const failure: EndpointCounts = { succeeded: 0, rejected: 0, failed: 1 };

/** Counts of deleted applications are dropped. */
export function bufferEndpointUsage(db: Queryable, now: () => number = Date.now): EndpointUsage {
  const buffer = createSumBuffer<EndpointCounts>({
    join: (one, other) => ({
      succeeded: one.succeeded + other.succeeded,
      rejected: one.rejected + other.rejected,
      failed: one.failed + other.failed,
    }),
    store: async (sums) => {
      const given = [...sums].map(([key, counts]) => ({ ...readKey(key), ...counts }));
      await db.query(addStatement, [JSON.stringify(given)]);
    },
  });
  return {
    call: (clientId, endpoint, status) => {
      buffer.add(`${String(Math.floor(now() / dayMs))} ${clientId} ${endpoint}`, countsOf(status));
    },
    flush: async () => await buffer.flush(),
  };
}

function countsOf(status: number): EndpointCounts {
  if (status < 400) return success;
  return status < 500 ? rejection : failure;
}

/** No client id contains a space. */
function readKey(key: string) {
  const [day, clientId = '', ...endpoint] = key.split(' ');
  return {
    clientId,
    day: new Date(Number(day) * dayMs).toISOString().slice(0, 10),
    endpoint: endpoint.join(' '),
  };
}

/** Deletes old days. */
export const sweepEndpointUsage = createSweep('endpoint_usage', {
  table: 'endpoint_usage',
  where: `day < current_date - interval '${retention.endpoint_usage.day}' ORDER BY day`,
});

/** Which endpoints an application calls, for its owner. */

/** Requests to one endpoint. */
export interface EndpointSum extends EndpointCounts {
  /** Method and route, such as `GET /api/v2.0/users/show`. */
  readonly endpoint: string;
}

export interface EndpointDay extends EndpointSum {
  /** Such as `2026-11-22`, in UTC. */
  readonly day: string;
}

const sumStatement = statement<readonly [clientId: string], EndpointSum>(
  'endpoint_usage_sums',
  `SELECT endpoint, sum(succeeded)::bigint AS succeeded, sum(rejected)::bigint AS rejected, sum(failed)::bigint AS failed
     FROM endpoint_usage WHERE client_id = $1
    GROUP BY endpoint ORDER BY sum(succeeded + rejected + failed) DESC, endpoint`,
);

/** The whole time that is kept, 90 days; most requests first. There are as many rows as endpoints. The caller must check ownership. */
export async function findEndpointSums(db: Queryable, clientId: string): Promise<readonly EndpointSum[]> {
  return await db.query(sumStatement, [clientId]);
}

const dayStatement = statement<readonly [clientId: string], EndpointDay>(
  'endpoint_usage_days',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, endpoint, succeeded, rejected, failed
     FROM endpoint_usage WHERE client_id = $1 ORDER BY endpoint_usage.day, endpoint`,
);

/** The same by day, oldest first. */
export async function findEndpointDays(db: Queryable, clientId: string): Promise<readonly EndpointDay[]> {
  return await db.query(dayStatement, [clientId]);
}
