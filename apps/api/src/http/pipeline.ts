import { rm } from 'node:fs/promises';

import type { Route } from '@linnet/contract/route';
import { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Db } from '@linnet/db/database';
import type { Context, Middleware } from 'koa';

import { createBodyReader } from './body.ts';
import { requireAccount } from './caller.ts';
import type { Caller } from './caller.ts';
import { answerOptions } from './cors.ts';
import type { Endpoint, Work } from './endpoint.ts';
import { createAnswering } from './idempotency.ts';
import { linkHeader } from './paging.ts';
import { parseFormEncoded } from './parameters.ts';
import type { RawParameters } from './parameters.ts';
import type { Authentication } from './proven-auth.ts';
import type { RateLimits } from './rate-limit.ts';
import { refusePrefetch, requireAccept, requireMethod } from './request-rules.ts';

interface PipelineParts {
  readonly auth: Authentication;
  readonly db: Db;
  readonly limits: RateLimits;
  /** Where files are received. */
  readonly uploadDirectory: string;
  /** Origin without a trailing slash, for links between the pages of a list. */
  readonly baseUrl: string;
}

const maxFileBytes = 10 * 1024 * 1024;

/**
 * What every call goes through, in order: OPTIONS → method → prefetch → Accept → bearer → scope → account →
 * limits → parameters → idempotency → handler → JSON. A handler cannot forget any of it.
 */
export function createPipeline(parts: PipelineParts): (endpoint: Endpoint) => Middleware {
  const { auth, db, limits, uploadDirectory, baseUrl } = parts;
  const answer = createAnswering(db);

  async function admit(ctx: Context, route: Route): Promise<Caller> {
    requireMethod(ctx, route);
    refusePrefetch(ctx, route);
    requireAccept(ctx);
    const { method, path } = ctx;
    const headers = { authorization: ctx.get('authorization'), proof: ctx.get('dpop') };
    const caller = await auth.authenticate({ ...headers, method, path });
    ctx.state['clientId'] = caller.clientId;
    ctx.state['accountId'] = caller.accountId;
    auth.requireScope(caller, route.scope);
    const admitted = requireAccount(route, caller);
    await limits.countCall(ctx, route);
    return admitted;
  }

  async function read(ctx: Context, work: Work): Promise<string> {
    const found = await work(db);
    const link = linkHeader(found, { url: baseUrl + ctx.path, query: ctx.querystring });
    // A link is followed by GET.
    if (link !== undefined && ctx.method !== 'POST') ctx.set('Link', link);
    return JSON.stringify(found);
  }

  return (endpoint) => {
    const { file } = endpoint.route;
    const part = file === undefined ? undefined : { name: file, maxBytes: maxFileBytes, directory: uploadDirectory };
    const readBody = createBodyReader(part);
    return async (ctx) => {
      if (ctx.method === 'OPTIONS') {
        answerOptions(ctx, endpoint.route);
        return;
      }
      const caller = await admit(ctx, endpoint.route);
      const raw = ctx.method === 'POST' ? await readBody(ctx) : parseFormEncoded(ctx.querystring);
      await using _files = removedAtEnd(raw);
      ctx.body = endpoint.route.writes
        ? await answer(ctx, { endpoint, caller, raw })
        : await read(ctx, await endpoint.prepare(raw, caller));
      ctx.type = 'application/json';
    };
  };
}

/** Received files are for the call that they came with. */
function removedAtEnd({ values }: RawParameters): AsyncDisposable {
  const files = Object.values(values).filter((value) => value instanceof UploadedFile);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const { path } of files) await rm(path, { force: true });
    },
  };
}
