import { scopes } from '@linnet/contract/scopes';
import { dpopAlgorithms } from '@linnet/service/dpop';
import type { Middleware } from 'koa';

import { apiPath } from './router.ts';

/** Protected resource metadata (RFC 9728 §3; decisions, Details 11). */
export function resourceMetadata(baseUrl: string): Middleware {
  const path = `/.well-known/oauth-protected-resource${apiPath}`;
  const document = JSON.stringify({
    resource: baseUrl + apiPath,
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    dpop_bound_access_tokens_required: false,
  });
  return async (ctx, next) => {
    if (ctx.path !== path || !['GET', 'HEAD'].includes(ctx.method)) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = document;
    ctx.type = 'application/json';
  };
}
