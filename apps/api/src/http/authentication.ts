import type { Scope } from '@linnet/contract/scopes';
import { InvalidProof, checkProof } from '@linnet/service/http/dpop';

import { ApiError } from './api-error.ts';
import type { BearerAuth } from './bearer-auth.ts';
import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** The parts of a request that identify the caller. */
interface Credentials {
  /** `Authorization` header. */
  readonly authorization: string;
  /** `DPoP` header. */
  readonly proof: string;
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  /** What the request requires. */
  readonly scope: Scope | null;
}

/** Accepts bearer tokens, and tokens bound to a key with a DPoP proof (RFC 9449). */
export interface Authentication extends Pick<BearerAuth, 'requireScope'> {
  /** At once for a bearer token that was verified before. @throws ApiError `token-required` or `invalid_token`. */
  authenticate(credentials: Credentials): Caller | Promise<Caller>;
}

interface AuthenticationOptions {
  readonly baseUrl: string;
  /** Challenges name its metadata. */
  readonly resource: ProtectedResource;
  readonly bearer: BearerAuth;
  /** Remembers a proof for all API servers; false when the proof was used before. */
  readonly rememberProof: (idSha256: Buffer, expiresAt: Date) => Promise<boolean>;
  readonly now?: () => number;
}

/** Rejects a bound token without a proof, and a proof with a token that is not bound (checklist RS13). */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { baseUrl, resource, bearer, rememberProof, now } = options;
  const challenges = createChallenges(baseUrl, resource);

  async function authenticateToken(token: string): Promise<Caller> {
    try {
      return await bearer.authenticate(`Bearer ${token}`);
    } catch (error) {
      throw isInvalidToken(error) ? challenges.invalidToken(error, 'DPoP') : error;
    }
  }

  function requireUnbound(caller: Caller): Caller {
    if (caller.boundTo !== undefined) throw challenges.boundToken();
    return caller;
  }

  async function authenticateBound(token: string, { proof, method, path }: Credentials): Promise<Caller> {
    const caller = await authenticateToken(token);
    const { boundTo } = caller;
    if (boundTo === undefined) throw challenges.invalidToken('not bound', 'DPoP');
    try {
      const checked = await checkProof({ proof, method, url: `${baseUrl}${path}`, token, boundTo }, now);
      if (await rememberProof(checked.idSha256, checked.expiresAt)) return caller;
    } catch (error) {
      throw error instanceof InvalidProof ? challenges.invalidProof(error.message) : error;
    }
    throw challenges.invalidProof('the proof was used before');
  }

  return {
    requireScope: (caller, scope) => {
      bearer.requireScope(caller, scope);
    },
    authenticate: (credentials) => {
      const bound = /^dpop +(\S+) *$/i.exec(credentials.authorization)?.[1];
      if (bound !== undefined) return authenticateBound(bound, credentials);
      const caller = bearer.authenticate(credentials.authorization, credentials.scope);
      return caller instanceof Promise ? caller.then(requireUnbound) : requireUnbound(caller);
    },
  };
}

function isInvalidToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_token';
}
