import { InvalidProof, checkProof } from '@linnet/service/dpop';

import { ApiError } from './api-error.ts';
import type { BearerAuth } from './bearer-auth.ts';
import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';

/** What of a request tells who calls. */
interface Credentials {
  /** The header `Authorization`. */
  readonly authorization: string;
  /** The header `DPoP`. */
  readonly proof: string;
  readonly method: string;
  /** Of the address, without query. */
  readonly path: string;
}

/** Both ways of sending an access token: alone, and with a proof of the key that it is bound to (RFC 9449). */
export interface Authentication extends Pick<BearerAuth, 'requireScope'> {
  /** @throws ApiError `token-required` or `invalid_token`. */
  authenticate(credentials: Credentials): Promise<Caller>;
}

interface ProvenAuthOptions {
  readonly baseUrl: string;
  readonly bearer: BearerAuth;
  /** Remembers a proof for every API server; false when it was seen before. */
  readonly markProof: (idSha256: Buffer, expiresAt: Date) => Promise<boolean>;
  readonly now?: () => number;
}

/** A bound token alone is refused, and so is one that is not bound with a proof (checklist RS13). */
export function createProvenAuth({ baseUrl, bearer, markProof, now }: ProvenAuthOptions): Authentication {
  const challenges = createChallenges(baseUrl);

  async function authenticateBound(token: string, { proof, method, path }: Credentials): Promise<Caller> {
    const caller = await bearer.authenticate(`Bearer ${token}`).catch((error: unknown) => {
      throw isInvalidToken(error) ? challenges.invalidToken(error, 'DPoP') : error;
    });
    const { boundTo } = caller;
    if (boundTo === undefined) throw challenges.invalidToken('not bound', 'DPoP');
    try {
      const checked = await checkProof({ proof, method, url: `${baseUrl}${path}`, token, boundTo }, now);
      if (await markProof(checked.idSha256, checked.expiresAt)) return caller;
    } catch (error) {
      throw error instanceof InvalidProof ? challenges.invalidProof(error.message) : error;
    }
    throw challenges.invalidProof('the proof was used before');
  }

  return {
    requireScope: (caller, scope) => {
      bearer.requireScope(caller, scope);
    },
    authenticate: async (credentials) => {
      const bound = /^dpop +(\S+) *$/i.exec(credentials.authorization)?.[1];
      if (bound !== undefined) return await authenticateBound(bound, credentials);
      const caller = await bearer.authenticate(credentials.authorization);
      if (caller.boundTo !== undefined) throw challenges.boundToken();
      return caller;
    },
  };
}

function isInvalidToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_token';
}
