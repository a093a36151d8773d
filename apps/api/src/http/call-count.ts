import type { RequestState } from '@linnet/service/request-log';
import type { ApplicationUsage } from '@linnet/applications/application-usage-store';
import type { Middleware } from 'koa';

/** Counts calls for the applications whose tokens they came with; comes before whatever answers errors. */
export function countCalls(usage: Pick<ApplicationUsage, 'call'>): Middleware {
  return async (ctx, next) => {
    await next();
    const { clientId }: Partial<RequestState> = ctx.state;
    if (clientId !== undefined) usage.call(clientId, { isError: ctx.status >= 400 });
  };
}
