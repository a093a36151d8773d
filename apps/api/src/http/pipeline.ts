import { rm } from 'node:fs/promises';

import type { Route } from '@linnet/contract/route';
import { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Db } from '@linnet/db/database';
import type { Context, Middleware } from 'koa';

import { ApiError } from './api-error.ts';
import { createBodyReader } from './body.ts';
import { databaseFor, requireAccount } from './caller.ts';
import type { Caller } from './caller.ts';
import { respondToOptions } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { createWriteRunner } from './idempotency.ts';
import type { ApiRequest } from './idempotency.ts';
import { linkHeader } from './link-header.ts';
import { parseFormEncoded } from './parameters.ts';
import type { RawParameters } from './parameters.ts';
import type { Authentication } from './authentication.ts';
import type { RateLimits } from './rate-limit.ts';
import type { WriteResponse } from './response-writer.ts';
import { rejectPrefetch, requireAccept, requireMethod } from './request-rules.ts';

interface PipelineParts {
  readonly auth: Authentication;
  readonly db: Db;
  readonly limits: RateLimits;
  /** Directory for uploads while they are received. */
  readonly uploadDirectory: string;
  /** Origin without a trailing slash, for the links between the pages of a list. */
  readonly baseUrl: string;
  readonly writerOf: (route: Route) => WriteResponse;
}

const maxFileBytes = 10 * 1024 * 1024;
/** In characters. */
const largeBody = 10_000;

/**
 * Runs every request through the same steps, in order: OPTIONS → method → prefetch → Accept → token → scope →
 * account → rate limits → parameters → idempotency → handler → JSON. No handler can skip one.
 */
export function createPipeline(parts: PipelineParts): (endpoint: Endpoint) => Middleware {
  const { auth, db, limits, uploadDirectory, baseUrl, writerOf } = parts;
  const runWrite = createWriteRunner(db);

  async function admit(ctx: Context, route: Route): Promise<Caller> {
    requireMethod(ctx, route);
    rejectPrefetch(ctx, route);
    requireAccept(ctx);
    const { method, path } = ctx;
    const headers = { authorization: ctx.get('authorization'), proof: ctx.get('dpop') };
    const caller = await auth.authenticate({ ...headers, method, path, scope: route.scope });
    ctx.state['clientId'] = caller.clientId;
    ctx.state['accountId'] = caller.accountId;
    auth.requireScope(caller, route.scope);
    const admitted = requireAccount(route, caller);
    await limits.countRequest(ctx, route);
    return admitted;
  }

  /** Outside of the transaction, which is rolled back. */
  async function countTaken(ctx: Context, error: unknown): Promise<never> {
    const isTaken = error instanceof ApiError && (error.code === 'email-taken' || error.code === 'username-taken');
    if (isTaken) await limits.countTaken(ctx);
    throw error;
  }

  async function runRead(ctx: Context, { endpoint, caller, raw, write }: ApiRequest): Promise<string> {
    const response = await (await endpoint.prepare(raw, caller))(databaseFor(db, caller));
    const link = linkHeader(response, { url: baseUrl + ctx.path, query: ctx.querystring });
    // Clients follow links with GET.
    if (link !== undefined && ctx.method !== 'POST') ctx.set('Link', link);
    return write(response);
  }

  return (endpoint) => {
    const { file } = endpoint.route;
    const part = file === undefined ? undefined : { name: file, maxBytes: maxFileBytes, directory: uploadDirectory };
    const readBody = createBodyReader(part);
    const write = writerOf(endpoint.route);
    return async (ctx) => {
      if (ctx.method === 'OPTIONS') {
        respondToOptions(ctx, endpoint.route);
        return;
      }
      const caller = await admit(ctx, endpoint.route);
      const raw = ctx.method === 'POST' ? await readBody(ctx) : parseFormEncoded(ctx.querystring);
      await using _files = disposableFiles(raw);
      const request = { endpoint, caller, raw, write };
      const text = endpoint.route.writes
        ? await runWrite(ctx, request).catch((error: unknown) => countTaken(ctx, error))
        : await runRead(ctx, request);
      ctx.body = toBody(text);
      ctx.type = 'application/json';
    };
  };
}

/** Node sends a large body faster as bytes: it copies a string together with the headers. */
function toBody(text: string): string | Buffer {
  return text.length > largeBody ? Buffer.from(text) : text;
}

/** Removes the received files when the request ends. */
function disposableFiles({ values }: RawParameters): AsyncDisposable {
  const files = Object.values(values).filter((value) => value instanceof UploadedFile);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const { path } of files) await rm(path, { force: true });
    },
  };
}
