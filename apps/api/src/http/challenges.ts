import { scopesNarrowFirst, withoutImplied } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';
import { dpopAlgorithms } from '@linnet/service/http/dpop';
import type { Middleware } from 'koa';

import { ApiError } from './api-error.ts';
import type { Caller } from './caller.ts';

/** What a challenge without a valid token names: the scope of an endpoint, or those to begin with. */
export type NamedScopes = Scope | readonly Scope[] | null;

/** The Authorization scheme of a request: plain token, or token with a DPoP proof. */
export type TokenScheme = 'Bearer' | 'DPoP';

/** Token errors with their challenges (RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1), which name the metadata of a resource. */
export function createChallenges(baseUrl: string, { path, namesHeldScopes }: ProtectedResource) {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${path}"`;
  const algorithms = `algs="${dpopAlgorithms.join(' ')}"`;
  const challenges = (scheme: TokenScheme, parameters = '') => ({
    'WWW-Authenticate':
      scheme === 'Bearer'
        ? `Bearer ${parameters}${metadata}, DPoP ${algorithms}, ${metadata}`
        : `DPoP ${parameters}${algorithms}, ${metadata}`,
  });
  return {
    /** Names the scope of the route, so that a client does not have to request every scope (RFC 6750 §3). */
    tokenRequired: (scopes: NamedScopes) =>
      new ApiError('token-required', {
        headers: challenges('Bearer', nameScopes(scopes)),
      }),
    /** Names scopes as without a token: the client may have to ask the person again. */
    invalidToken: (scopes: NamedScopes, cause?: unknown, scheme: TokenScheme = 'Bearer') =>
      new ApiError('invalid_token', {
        headers: challenges(scheme, `${errorOf('The access token is not valid')}${nameScopes(scopes)}`),
        cause,
      }),
    boundToken: () =>
      new ApiError('invalid_token', {
        detail:
          'The access token is bound to a key. Send it as `Authorization: DPoP <access token>` with a `DPoP` proof.',
        headers: challenges('Bearer', errorOf('The access token is bound to a key')),
      }),
    invalidProof: (reason: string) =>
      new ApiError('invalid_token', {
        detail: `The DPoP proof is invalid: ${reason}. Send a new proof.`,
        headers: challenges('DPoP', `error="invalid_dpop_proof", error_description="${reason}", `),
      }),
    insufficientScope: (scope: Scope, caller: Caller) => {
      const scheme = caller.boundTo === undefined ? 'Bearer' : 'DPoP';
      const askAgain = caller.hasConsent ? { ask_again: consentRequestFor(baseUrl, scope, caller) } : {};
      const advice = caller.hasConsent
        ? 'Send the person to the authorization endpoint with the parameters in `ask_again`.'
        : 'Register the scope for the application, then request a token with it.';
      const named = namesHeldScopes ? withMissing(scope, caller) : scope;
      return new ApiError('insufficient_scope', {
        detail: `This request requires the scope \`${scope}\`. ${advice}`,
        headers: challenges(scheme, `error="insufficient_scope", scope="${named}", `),
        members: { scope, ...askAgain },
      });
    },
  };
}

function nameScopes(scopes: NamedScopes): string {
  return scopes === null ? '' : `scope="${[scopes].flat().join(' ')}", `;
}

function errorOf(description: string): string {
  return `error="invalid_token", error_description="${description}", `;
}

export type Challenges = ReturnType<typeof createChallenges>;

/** The missing scope together with all current scopes. */
function withMissing(missing: Scope, { scopes }: Pick<Caller, 'scopes'>): string {
  return withoutImplied([...scopes, missing]).join(' ');
}

/** The authorization request for the missing scope together with all current scopes. */
function consentRequestFor(baseUrl: string, missing: Scope, caller: Caller) {
  const { clientId } = caller;
  const scope = withMissing(missing, caller);
  // Without `prompt`, the server would not ask again for a scope that the person declined.
  const parameters = { client_id: clientId, scope, prompt: 'consent' };
  return { authorization_endpoint: `${baseUrl}/oauth/authorize`, parameters };
}

/** What clients request tokens for (RFC 9728). All of them accept the same tokens. */
export interface ProtectedResource {
  /** Path of its URL. */
  readonly path: string;
  /** Scopes that its metadata names. */
  readonly scopes: readonly Scope[];
  /** Whether a challenge for a missing scope names those that the token has as well, because clients request what it names. */
  readonly namesHeldScopes: boolean;
}

export const apiResource: ProtectedResource = {
  path: '/api/v2.0',
  scopes: scopesNarrowFirst,

  namesHeldScopes: false,
};

/** Agents request every scope of the metadata, unless a challenge names some: it has what the tools need, the narrow ones first. */
export const mcpResource: ProtectedResource = {
  path: '/mcp',
  scopes: ['users:read', 'posts:read', 'posts:propose', 'users', 'posts'],
  namesHeldScopes: true,
};

/** The same resource with `/` at the end: some clients add it. Metadata names the form that was asked for (RFC 9728 §3.3). */
export function withSlash(resource: ProtectedResource): ProtectedResource {
  return { ...resource, path: `${resource.path}/` };
}

/** Metadata of the protected resources (RFC 9728 §3; decisions, Details 11). */
export function resourceMetadata(baseUrl: string, resources: readonly ProtectedResource[]): Middleware {
  const documents = new Map(
    resources
      .flatMap((one) => [one, withSlash(one)])
      .map((one) => [`/.well-known/oauth-protected-resource${one.path}`, describe(baseUrl, one)]),
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
