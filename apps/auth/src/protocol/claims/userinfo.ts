import { InvalidProof, checkProof, dpopAlgorithms } from '@linnet/service/http/dpop';
import type Koa from 'koa';

import { readForm } from '../../pages/form/read-form.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { userinfoPath } from '../request/routes.ts';
import type { ClaimOnce } from '../storage/stored-payload.ts';
import type { OwnAccessToken, ReadAccessToken } from '../token/own-access-token.ts';
import { toGrantedClaims } from './claims.ts';
import type { ClaimOrigins } from './claims.ts';
import type { Person } from './person-store.ts';
import type { Chain } from '../storage/chain-store.ts';

/** An access token and its authentication scheme as sent. */
interface PresentedToken {
  readonly scheme: string;
  readonly token: string;
}

interface Bindable {
  readonly cnf?: { readonly jkt: string } | undefined;
}

/** The challenge for DPoP beside `Bearer` (RFC 9449 §7.1). */
const dpopChallenge = `DPoP algs="${dpopAlgorithms.join(' ')}"`;

/** Returns the claims if a bound token has its proof, or an unbound token has none (RFC 9449 §7). */
function createBindingCheck(url: string, claimOnce: ClaimOnce) {
  return async <Claims extends Bindable>(
    ctx: Koa.Context,
    { scheme, token }: PresentedToken,
    claims: Claims | undefined,
  ): Promise<Claims | undefined> => {
    const boundTo = claims?.cnf?.jkt;
    if (scheme.toLowerCase() === 'bearer') return boundTo === undefined ? claims : undefined;
    if (boundTo === undefined) return undefined;
    try {
      const { method } = ctx;
      const { idSha256, expiresAt } = await checkProof({ proof: ctx.get('dpop'), method, url, token, boundTo });
      const isFirst = await claimOnce(url, idSha256.toString('hex'), expiresAt.getTime() / 1000);
      return isFirst ? claims : undefined;
    } catch (error) {
      if (error instanceof InvalidProof) return undefined;
      throw error;
    }
  };
}

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
  const requireProof = createBindingCheck(baseUrl + userinfoPath, claimOnce);

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
    if (presented === undefined) return reject(ctx, 401, { 'WWW-Authenticate': `Bearer, ${dpopChallenge}` });
    const claims = await requireProof(ctx, presented, await readAccessToken(presented.token));
    if (claims?.acct !== undefined) {
      await limits.presentedToken(ctx, { clientId: claims.client_id, accountId: claims.acct });
    }
    const scopes = new Set(claims?.scope?.split(' '));
    if (claims !== undefined && !scopes.has('openid')) {
      return reject(ctx, 403, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="openid"' });
    }
    const person = claims && (await findBearer(claims));
    if (person === undefined) {
      return reject(ctx, 401, { 'WWW-Authenticate': `Bearer error="invalid_token", ${dpopChallenge}` });
    }
    ctx.body = toGrantedClaims(person, options, scopes);
  }
}

/** From the header or a form (RFC 6750 §2.1 and §2.2), never from the query. @throws FormRefused */
async function findToken(ctx: Koa.Context): Promise<{ readonly scheme: string; readonly token: string } | undefined> {
  const header = ctx.get('authorization');
  const [, scheme = '', token] = /^(bearer|dpop) +(\S+)$/i.exec(header) ?? [];
  if (token !== undefined) return { scheme, token };
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
