import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import Koa from 'koa';

interface RequestOptions {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A request as koa passes it to middleware, made without a connection. */
export function createContext({ method = 'GET', url = '/', headers = {}, body }: RequestOptions = {}): Koa.Context {
  const request = new IncomingMessage(new Socket());
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  Object.assign(request, { method, url, headers: { host: 'localhost:3000', ...length, ...headers } });
  if (body !== undefined) request.push(Buffer.from(body));
  request.push(null);
  return new Koa().createContext(request, new ServerResponse(request));
}

/** The cookies that the response sets, with their attributes, by name. */
export function setCookies(ctx: Koa.Context): ReadonlyMap<string, { readonly value: string; readonly flags: string }> {
  const lines = [ctx.response.headers['set-cookie'] ?? []].flat();
  return new Map(
    lines.map((line) => {
      const [pair = '', ...flags] = line.split('; ');
      const at = pair.indexOf('=');
      return [pair.slice(0, at), { value: pair.slice(at + 1), flags: flags.join('; ') }];
    }),
  );
}
