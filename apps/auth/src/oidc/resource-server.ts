import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import { errors } from 'oidc-provider';
import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';

import { signingAlgorithm } from '../keys/signing-key.ts';
import { registrationOf } from './client.ts';

/** decisions D51 */
export const accessTokenTtlSeconds = 3600;
const implicitTtlSeconds = 600;

/** OpenID Connect words that any application may ask for at authorize (decisions, Details 11). */
export const openidScopes = ['openid', 'profile'] as const;

/** The API as the provider sees it: who may be granted which scopes, and how its tokens are signed. */
export interface ApiResource {
  readonly audience: string;
  readonly defaultResource: () => string;
  readonly getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string, client: Client) => ResourceServer;
}

export function createApiResource(baseUrl: string, signingKid: string): ApiResource {
  const audience = `${baseUrl}/api/v2.0`; // `aud` of every access token (operations, Details 4)
  return {
    audience,
    defaultResource: () => audience,
    getResourceServerInfo: (ctx, resource, client) => {
      if (resource !== audience) throw new errors.InvalidTarget();
      const registered = registrationOf(client).scopes.filter(isScope); // not `openid`
      const isForApplication = ctx.oidc.params?.['grant_type'] === 'client_credentials';
      const grantable = new Set<string>([...(isForApplication ? [] : openidScopes), ...effectiveScopes(registered)]);
      resolveScope(ctx, registered, grantable);
      return {
        scope: [...grantable].join(' '),
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: isImplicit(ctx) ? implicitTtlSeconds : accessTokenTtlSeconds,
        jwt: { sign: { alg: signingAlgorithm, kid: signingKid } },
      };
    },
  };
}

function isImplicit({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['response_type'] === 'none';
}

/**
 * A request without `scope` gets all that is registered (decisions D44), or less when it asks for
 * less. What is not allowed is refused here, because the provider would drop it silently. This runs
 * before the provider reads the requested scope, whether the client named the resource or not.
 */
function resolveScope(ctx: KoaContextWithOIDC, registered: readonly string[], grantable: ReadonlySet<string>): void {
  const { params } = ctx.oidc;
  const isRequest = params?.['grant_type'] === 'client_credentials' || params?.['response_type'] !== undefined;
  if (params === undefined || !isRequest) return;
  if (typeof params['scope'] !== 'string') {
    params['scope'] = registered.length === 0 ? undefined : registered.join(' ');
    return;
  }
  // A refresh token always comes with a code (decisions D50); asking for one is no scope of the API.
  const asked = params['scope'].split(' ').filter((scope) => scope !== 'offline_access');
  const refused = asked.find((scope) => !grantable.has(scope));
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
  params['scope'] = asked.join(' ');
}

/** Claims of ours: the grant and the account that a token acts for. */
export function actingClaims(
  _ctx: KoaContextWithOIDC,
  token: AccessToken | ClientCredentials,
): { readonly gid: string; readonly acct: number } | undefined {
  if (token.kind === 'AccessToken') {
    return token.grantId === undefined ? undefined : { gid: token.grantId, acct: Number(token.accountId) };
  }
  if (token.client === undefined) return undefined;
  const { actingGrant } = registrationOf(token.client);
  return actingGrant === null ? undefined : { gid: actingGrant.id, acct: actingGrant.accountId };
}
