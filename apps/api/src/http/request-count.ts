import type { RequestState } from '@linnet/service/request-log';
import type { ApplicationUsage } from '@linnet/applications/application-usage-store';
import type { Middleware } from 'koa';

/** Counts requests per application. Runs before the error middleware, so that it sees the final status. */
export function countRequests(usage: Pick<ApplicationUsage, 'call'>): Middleware {
  return async (ctx, next) => {
    await next();
    const { clientId }: Partial<RequestState> = ctx.state;
    if (clientId !== undefined) usage.call(clientId, { isError: ctx.status >= 400 });
  };
}
