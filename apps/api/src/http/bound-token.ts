import { InvalidProof, checkProof } from '@linnet/service/http/dpop';

import { ApiError } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { Challenges, NamedScopes } from './challenges.ts';
import { headerOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Remembers a proof for all API servers; false when the proof was used before. */
export type RememberProof = (idSha256: Buffer, expiresAt: Date) => Promise<boolean>;

interface BoundTokenOptions {
  readonly baseUrl: string;
  readonly challenges: Challenges;
  readonly rememberProof: RememberProof;
  /** Verifies the token itself, from an `Authorization` header. */
  readonly findCaller: (authorization: string, scope: NamedScopes) => Caller | Promise<Caller>;
  readonly now: () => number;
}

/** Tokens that are bound to a key, with their proofs (RFC 9449). */
export function createBoundTokens({ baseUrl, challenges, rememberProof, findCaller, now }: BoundTokenOptions) {
  async function findBoundCaller(token: string): Promise<Caller> {
    try {
      return await findCaller(`Bearer ${token}`, null);
    } catch (error) {
      throw isInvalidToken(error) ? challenges.invalidToken(null, error, 'DPoP') : error;
    }
  }

  return {
    /** @throws ApiError `invalid_token` */
    authenticate: async (token: string, { request, path }: Pick<Exchange, 'request' | 'path'>): Promise<Caller> => {
      const caller = await findBoundCaller(token);
      const { boundTo } = caller;
      if (boundTo === undefined) throw challenges.invalidToken(null, 'not bound', 'DPoP');
      const { method = '' } = request;
      const sent = { proof: headerOf(request, 'dpop'), method, url: `${baseUrl}${path}`, token, boundTo };
      try {
        const checked = await checkProof(sent, now);
        if (await rememberProof(checked.idSha256, checked.expiresAt)) return caller;
      } catch (error) {
        throw error instanceof InvalidProof ? challenges.invalidProof(error.message) : error;
      }
      throw challenges.invalidProof('the proof was used before');
    },
  };
}

function isInvalidToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_token';
}
