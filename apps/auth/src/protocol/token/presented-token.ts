/** How a request presents an access token, to userinfo and to the admin API. */
import { InvalidProof, checkProof, dpopAlgorithms } from '@linnet/service/http/dpop';
import type Koa from 'koa';

import type { ClaimOnce } from '../storage/stored-payload.ts';

/** An access token and its authentication scheme as sent. */
export interface PresentedToken {
  readonly scheme: string;
  readonly token: string;
}

interface Bindable {
  readonly cnf?: { readonly jkt: string } | undefined;
}

const algorithms = `algs="${dpopAlgorithms.join(' ')}"`;

/** The challenge to a request without a token (RFC 9449 §7.1). */
export const anyChallenge = `Bearer, DPoP ${algorithms}`;
export const invalidTokenChallenge = `Bearer error="invalid_token", DPoP ${algorithms}`;

const refuseProof = (fault: string): string =>
  `DPoP error="invalid_dpop_proof", error_description="${fault}", ${algorithms}`;

/** Returns the claims if a bound token has its proof, or an unbound token has none (RFC 9449 §7), otherwise the challenge. */
export function createBindingCheck(baseUrl: string, claimOnce: ClaimOnce) {
  return async <Claims extends Bindable>(
    ctx: Koa.Context,
    { scheme, token }: PresentedToken,
    claims: Claims | undefined,
  ): Promise<Claims | string> => {
    const boundTo = claims?.cnf?.jkt;
    const isBearer = scheme.toLowerCase() === 'bearer';
    if (claims === undefined || isBearer === (boundTo !== undefined)) return invalidTokenChallenge;
    if (boundTo === undefined) return claims;
    try {
      const { method } = ctx;
      const url = baseUrl + ctx.path;
      const { idSha256, expiresAt } = await checkProof({ proof: ctx.get('dpop'), method, url, token, boundTo });
      const isFirst = await claimOnce(url, idSha256.toString('hex'), expiresAt.getTime() / 1000);
      return isFirst ? claims : refuseProof('jti was used before');
    } catch (error) {
      if (error instanceof InvalidProof) return refuseProof(error.message);
      throw error;
    }
  };
}

/** The token of the header `Authorization`. */
export function findAuthorization(header: string): PresentedToken | undefined {
  const [, scheme = '', token] = /^(bearer|dpop) +(\S+)$/i.exec(header) ?? [];
  return token === undefined ? undefined : { scheme, token };
}
