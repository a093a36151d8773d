/**
 * The documents that are the same for everyone, such as the keys: they get an ETag, and their bytes are kept for the direct
 * path. Each key ring has its own handler and so its own documents.
 */
import { hash } from 'node:crypto';
import type { ClientRequest } from 'node:http';

import type { DirectAnswer, DirectEndpoint } from '@linnet/service/http/direct-path';
import type Koa from 'koa';

import { openDocuments } from '../routes.ts';

export interface Documents {
  /** Around what makes the documents. Keeps each of them when it is first sent. */
  readonly middleware: Koa.Middleware;
  /** Answers requests for documents that were sent before. */
  readonly directEndpoints: readonly DirectEndpoint[];
}

/** With them the response differs. */
const unusualHeaders = ['origin', 'if-none-match', 'if-modified-since'];

export function createDocuments(): Documents {
  const kept = new Map<string, DirectAnswer>();
  return {
    middleware: async (ctx, next) => {
      await next();
      const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
      if (!isRead || ctx.status !== 200 || !openDocuments.has(ctx.path)) return;
      const body = Buffer.from(JSON.stringify(ctx.body));
      ctx.etag = hash('sha256', body, 'base64url');
      // Koa keeps the type that the document already has.
      ctx.body = body;
      // A query can set a cookie.
      if (ctx.get('origin') === '' && ctx.url === ctx.path) kept.set(ctx.path, { headers: listHeaders(ctx.res), body });
      if (ctx.fresh) ctx.status = 304;
    },
    directEndpoints: [...openDocuments].map((target) => ({
      method: 'GET',
      target,
      anyHost: true,
      answer: ({ request: { headers } }) =>
        unusualHeaders.some((name) => headers[name] !== undefined) ? undefined : kept.get(target),
    })),
  };
}

/** Not the same in each response. */
const ofResponse = /^(?:x-request-id|content-length|connection|strict-transport-security)$/i;

/** In the order and case in which they are sent. */
function listHeaders(response: Koa.Context['res']): readonly string[] {
  // The types declare it for requests only.
  const { getRawHeaderNames } = response as Koa.Context['res'] & Pick<ClientRequest, 'getRawHeaderNames'>;
  const names = getRawHeaderNames.call(response).filter((name) => !ofResponse.test(name));
  return names.flatMap((name) => [response.getHeader(name)].flat().flatMap((value) => [name, String(value)]));
}
