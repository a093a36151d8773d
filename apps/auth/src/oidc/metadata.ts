import { scopes } from '@linnet/contract/scopes';
import type Koa from 'koa';

import { paths } from './routes.ts';

/** What the provider says about itself and is true; it would also advertise what is switched off. */
const kept = ['issuer', 'token_endpoint', 'jwks_uri', 'grant_types_supported'] as const;

const added = {
  // RFC 8414 §2 requires the member; there is no authorization endpoint that could answer one.
  response_types_supported: [],
  scopes_supported: scopes,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
};

/** API servers and clients may keep the keys this long; a rotation waits for it. */
const jwksCacheControl = 'public, max-age=300';

/** RFC 8414 and OpenID Connect metadata advertise exactly what works (checklist KY1); keys may be cached. */
export const honestMetadata: Koa.Middleware = async (ctx, next) => {
  await next();
  if (ctx.status !== 200) return;
  if (ctx.path === paths.jwks) ctx.set('Cache-Control', jwksCacheControl);
  if (ctx.path !== paths.authorizationServerMetadata && ctx.path !== paths.openidConfiguration) return;
  const document: unknown = ctx.body;
  if (typeof document !== 'object' || document === null) return;
  ctx.body = { ...Object.fromEntries(kept.map((name) => [name, Reflect.get(document, name)])), ...added };
};
