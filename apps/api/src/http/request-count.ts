import { bufferApplicationUsage } from '@linnet/applications/usage/application-usage-store';
import { bufferEndpointUsage } from '@linnet/applications/usage/endpoint-usage-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Job } from '@linnet/service/jobs/job';
import type { RequestState } from '@linnet/service/http/request-log';
import type { Middleware } from 'koa';

/** Counts a request of an application. `endpoint`: method and route; undefined if no endpoint has the path. */
export type CountCall = (
  clientId: string,
  call: { readonly endpoint?: string | undefined; readonly status: number; readonly requestId?: string | undefined },
) => void;

interface RequestCounts {
  readonly countCall: CountCall;
  /** Store what was counted. */
  readonly jobs: readonly Job[];
  /** Stores it now. */
  flush(): Promise<void>;
}

/** A crash loses the counts of at most this interval. */
const usageEveryMs = 1000;
/** Rarer, because there are more rows: one per endpoint. */
const endpointUsageEveryMs = 10_000;

/** Requests of applications are counted in memory, so that a request costs no statement. */
export function createRequestCounts(db: Queryable): RequestCounts {
  const usage = bufferApplicationUsage(db);
  const endpointUsage = bufferEndpointUsage(db);
  return {
    countCall: (clientId, { endpoint, status, requestId }) => {
      usage.call(clientId, { isError: status >= 400, endpoint, requestId });
      if (endpoint !== undefined) endpointUsage.call(clientId, endpoint, status);
    },
    jobs: [
      { name: 'usage', everyMs: usageEveryMs, isOfProcess: true, run: async () => await usage.flush() },
      {
        name: 'endpoint-usage',
        everyMs: endpointUsageEveryMs,
        isOfProcess: true,
        run: async () => await endpointUsage.flush(),
      },
    ],
    flush: async () => void (await Promise.all([usage.flush(), endpointUsage.flush()])),
  };
}

/** Counts requests per application. Runs before the error middleware, so that it sees the final status. */
export function countRequests(countCall: CountCall): Middleware {
  return async (ctx, next) => {
    await next();
    const { clientId, route, requestId }: Partial<RequestState> = ctx.state;
    if (clientId === undefined) return;
    const endpoint = route === undefined ? undefined : `${ctx.method} ${route}`;
    countCall(clientId, { status: ctx.status, endpoint, requestId });
  };
}
