import { dpopAlgorithms } from '@linnet/service/http/dpop';
import type { Middleware } from 'koa';

import type { ProtectedResource } from './protected-resource.ts';

/** Metadata of the protected resources (RFC 9728 §3; decisions, Details 11). */
export function resourceMetadata(baseUrl: string, resources: readonly ProtectedResource[]): Middleware {
  const documents = new Map(
    resources.map((one) => [`/.well-known/oauth-protected-resource${one.path}`, describe(baseUrl, one)]),
  );
  return async (ctx, next) => {
    const document = documents.get(ctx.path);
    if (document === undefined || !['GET', 'HEAD'].includes(ctx.method)) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = document;
    ctx.type = 'application/json';
  };
}

function describe(baseUrl: string, { path, scopes }: ProtectedResource): string {
  return JSON.stringify({
    resource: baseUrl + path,
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    dpop_bound_access_tokens_required: false,
  });
}
