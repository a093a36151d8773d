import { rm } from 'node:fs/promises';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import { nameRoute } from '@linnet/service/http/request-log';
import type { Context, Middleware } from 'koa';

import { createBodyReader } from './body.ts';
import { respondToOptions } from './cors.ts';
import { findFailure } from './direct-path.ts';
import type { Exchange } from './exchange.ts';
import { parseFormEncoded } from './parameters.ts';
import type { RawParameters } from './parameters.ts';
import { rejectPrefetch, requireAccept, requireMethod } from './request-rules.ts';
import { apiPath } from './router.ts';
import type { BoundEndpoint } from './steps.ts';

const maxFileBytes = 10 * 1024 * 1024;

/**
 * Runs a request through OPTIONS → method → prefetch → Accept, and then through the steps of `steps.ts`.
 * `uploadDirectory` is for uploads while they are received.
 */
export function createPipeline(uploadDirectory: string): (endpoint: BoundEndpoint) => Middleware {
  return ({ route, steps }) => {
    const { file } = route;
    const part = file === undefined ? undefined : { name: file, maxBytes: maxFileBytes, directory: uploadDirectory };
    const readBody = createBodyReader(part);
    return async (ctx) => {
      nameRoute(ctx, apiPath + route.path);
      if (ctx.method === 'OPTIONS') {
        respondToOptions(ctx, route);
        return;
      }
      rejectFailed(ctx);
      requireMethod(ctx, route);
      rejectPrefetch(ctx, route);
      requireAccept(ctx);
      const exchange = toExchange(ctx);
      await using files = createReceivedFiles();
      try {
        const { status, body } = await steps(exchange, async () =>
          ctx.method === 'POST' ? files.keep(await readBody(ctx)) : parseFormEncoded(ctx.querystring),
        );
        ctx.set(exchange.headers);
        ctx.body = body;
        ctx.type = 'application/json';
        ctx.status = status;
      } catch (error) {
        ctx.set(exchange.headers);
        throw error;
      }
    };
  };
}

function toExchange({ req, path, querystring, state }: Context): Exchange {
  return { request: req, path, query: querystring, state, headers: {} };
}

/** Continues a request that failed on the direct path: its error is sent like any other. */
function rejectFailed(ctx: Context): void {
  const failure = findFailure(ctx.req);
  if (failure === undefined) return;
  ctx.set(failure.headers);
  throw failure.error;
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
