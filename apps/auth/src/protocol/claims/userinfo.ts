import type Koa from 'koa';

import { readForm } from '../../pages/form/read-form.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { userinfoPath } from '../request/routes.ts';
import type { ClaimOnce } from '../storage/stored-payload.ts';
import {
  anyChallenge,
  createBindingCheck,
  findAuthorization,
  invalidTokenChallenge,
} from '../token/presented-token.ts';
import type { PresentedToken } from '../token/presented-token.ts';
import type { OwnAccessToken, ReadAccessToken } from '../token/own-access-token.ts';
import { toGrantedClaims } from './claims.ts';
import type { ClaimOrigins } from './claims.ts';
import type { Person } from './person-store.ts';
import type { Chain } from '../storage/chain-store.ts';

interface UserinfoOptions extends ClaimOrigins {
  readonly claimOnce: ClaimOnce;
  readonly readAccessToken: ReadAccessToken;
  readonly findPerson: (accountId: number, chain: Chain) => Promise<Person | undefined>;
  readonly limits: Pick<RequestLimits, 'presentedToken'>;
}

/**
 * The userinfo endpoint (OpenID Connect Core §5.3), for access tokens with `openid`. The provider's own endpoint
 * supports opaque tokens only, and ours are JWTs.
 */
export function userinfoRoute(options: UserinfoOptions): Koa.Middleware {
  const { baseUrl, readAccessToken, claimOnce, findPerson, limits } = options;
  const requireProof = createBindingCheck(baseUrl, claimOnce);

  return async (ctx, next) => {
    if (ctx.path !== userinfoPath) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.method === 'OPTIONS') respondToPreflight(ctx);
    else if (['GET', 'HEAD', 'POST'].includes(ctx.method)) await respond(ctx);
    else reject(ctx, 405, { Allow: 'GET, HEAD, POST' });
  };

  async function findBearer({ acct, gid, ch }: OwnAccessToken): Promise<Person | undefined> {
    return acct === undefined || gid === undefined ? undefined : await findPerson(acct, { grantId: gid, chainId: ch });
  }

  async function respond(ctx: Koa.Context): Promise<void> {
    const presented = await findToken(ctx);
    if (presented === undefined) return reject(ctx, 401, { 'WWW-Authenticate': anyChallenge });
    const claims = await requireProof(ctx, presented, await readAccessToken(presented.token));
    if (typeof claims === 'string') return reject(ctx, 401, { 'WWW-Authenticate': claims });
    if (claims.acct !== undefined) {
      await limits.presentedToken(ctx, 'oauth-user', { clientId: claims.client_id, accountId: claims.acct });
    }
    const scopes = new Set(claims.scope?.split(' '));
    if (!scopes.has('openid')) {
      return reject(ctx, 403, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="openid"' });
    }
    const person = await findBearer(claims);
    if (person === undefined) return reject(ctx, 401, { 'WWW-Authenticate': invalidTokenChallenge });
    ctx.body = toGrantedClaims(person, options, scopes);
  }
}

/** From the header or a form (RFC 6750 §2.1 and §2.2), never from the query. @throws FormRefused */
async function findToken(ctx: Koa.Context): Promise<PresentedToken | undefined> {
  const header = ctx.get('authorization');
  const presented = findAuthorization(header);
  if (presented !== undefined) return presented;
  if (header !== '' || typeof ctx.is('application/x-www-form-urlencoded') !== 'string') return undefined;
  const posted = (await readForm(ctx)).text('access_token');
  return posted === '' ? undefined : { scheme: 'Bearer', token: posted };
}

function respondToPreflight(ctx: Koa.Context): void {
  ctx.set({ 'Access-Control-Allow-Methods': 'GET, POST', 'Access-Control-Allow-Headers': 'Authorization, DPoP' });
  ctx.status = 204;
}

function reject(ctx: Koa.Context, status: 401 | 403 | 405, headers: Readonly<Record<string, string>>): void {
  ctx.set({ ...headers });
  ctx.status = status;
  const codes = { 401: 'invalid_token', 403: 'insufficient_scope', 405: 'invalid_request' } as const;
  ctx.body = { error: codes[status] };
}
