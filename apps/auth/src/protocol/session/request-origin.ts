import { AsyncLocalStorage } from 'node:async_hooks';

import type Koa from 'koa';

/** Where a session was last used; shown to its person. */
export interface RequestOrigin {
  readonly userAgent: string;
  readonly address: string;
}

const unknownOrigin: RequestOrigin = { userAgent: '', address: '' };
const maxUserAgentLength = 256;
const maxAddressLength = 45;

const storage = new AsyncLocalStorage<RequestOrigin>();

/** Makes the origin of the request available to the provider's adapter, which does not get the request. */
export function rememberOrigin(clientAddress: (ctx: Koa.Context) => string): Koa.Middleware {
  return async (ctx, next) => {
    const userAgent = ctx.get('user-agent').slice(0, maxUserAgentLength);
    const address = clientAddress(ctx).slice(0, maxAddressLength);
    await storage.run({ userAgent, address }, next);
  };
}

export function currentOrigin(): RequestOrigin {
  return storage.getStore() ?? unknownOrigin;
}
