/** Which endpoints an application calls, for its owner. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import type { EndpointCounts } from './endpoint-usage-store.ts';

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
