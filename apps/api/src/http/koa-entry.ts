import { rm } from 'node:fs/promises';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import { nameRoute } from '@linnet/service/http/request-log';
import type { Context, Middleware } from 'koa';

import { createBodyReader } from './body.ts';
import type { BoundCall } from './call.ts';
import type { Exchange } from './exchange.ts';
import { parseFormEncoded } from './parameters.ts';
import type { RawParameters } from './parameters.ts';
import type { ToProblem } from './problem.ts';
import type { Reply } from './reply.ts';
import { rejectPrefetch, requireAccept, requireMethod } from './request-rules.ts';
import { respondToOptions } from './response-headers.ts';
import { apiPath } from './router.ts';

const maxFileBytes = 10 * 1024 * 1024;

/**
 * The entry of every request that is not plain: OPTIONS → method → prefetch → Accept, then the call. `uploadDirectory` is for
 * uploads while they are received.
 */
export function createKoaEntry(uploadDirectory: string): (bound: BoundCall) => Middleware {
  return ({ route, call }) => {
    const { file } = route;
    const part = file === undefined ? undefined : { name: file, maxBytes: maxFileBytes, directory: uploadDirectory };
    const readBody = createBodyReader(part);
    return async (ctx) => {
      nameRoute(ctx, apiPath + route.path);
      if (ctx.method === 'OPTIONS') {
        respondToOptions(ctx, route);
        return;
      }
      requireMethod(ctx, route);
      rejectPrefetch(ctx, route);
      requireAccept(ctx);
      const exchange = toExchange(ctx);
      await using files = createReceivedFiles();
      const reply = await call(exchange, async () =>
        ctx.method === 'POST' ? files.keep(await readBody(ctx)) : parseFormEncoded(ctx.querystring),
      );
      ctx.set(exchange.headers);
      send(ctx, reply);
    };
  };
}

/** Responds with a problem to every error thrown further down, outside of a call. */
export function answerErrors(toProblem: ToProblem): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      send(ctx, toProblem(toExchange(ctx), error));
    }
  };
}

function toExchange({ req, path, querystring, state }: Context): Exchange {
  return { request: req, path, query: querystring, state, headers: {} };
}

function send(ctx: Context, { status, type, body, language, headers = {} }: Reply): void {
  ctx.status = status;
  if (language !== undefined) {
    ctx.set('Content-Language', language);
    ctx.vary('Accept-Language');
  }
  ctx.set(headers);
  ctx.body = body;
  if (type !== undefined) ctx.type = type;
}

/** Removes the received files when the request ends. */
function createReceivedFiles() {
  const paths: string[] = [];
  return {
    keep: (raw: RawParameters): RawParameters => {
      for (const value of Object.values(raw.values)) if (value instanceof UploadedFile) paths.push(value.path);
      return raw;
    },
    [Symbol.asyncDispose]: async () => {
      for (const path of paths) await rm(path, { force: true });
    },
  };
}
