import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import { errors } from 'oidc-provider';
import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';

import { signingAlgorithm } from '../keys/signing-key.ts';
import { registrationOf } from './client.ts';

export const accessTokenTtlSeconds = 3600;

/** The API as the provider sees it: who may be granted which scopes, and how its tokens are signed. */
export interface ApiResource {
  readonly defaultResource: () => string;
  readonly getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string, client: Client) => ResourceServer;
}

export function createApiResource(baseUrl: string, signingKid: string): ApiResource {
  const audience = `${baseUrl}/api/v2.0`; // `aud` of every access token (operations, Details 4)
  return {
    defaultResource: () => audience,
    getResourceServerInfo: (ctx, resource, client) => {
      if (resource !== audience) throw new errors.InvalidTarget();
      const registered = registrationOf(client).scopes.filter(isScope); // not `openid`
      const grantable = effectiveScopes(registered);
      resolveScope(ctx, registered, grantable);
      return {
        scope: [...grantable].join(' '),
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: accessTokenTtlSeconds,
        jwt: { sign: { alg: signingAlgorithm, kid: signingKid } },
      };
    },
  };
}

/**
 * Client credentials without `scope` get all that is registered (decisions D44), or less when they
 * ask for less. What is not allowed is refused here, because the provider would drop it silently.
 * This runs before the provider reads the requested scope, whether the client named the resource or not.
 */
function resolveScope(ctx: KoaContextWithOIDC, registered: readonly string[], grantable: ReadonlySet<string>): void {
  const { params } = ctx.oidc;
  if (params === undefined || params['grant_type'] !== 'client_credentials') return;
  if (typeof params['scope'] !== 'string') {
    params['scope'] = registered.length === 0 ? undefined : registered.join(' ');
    return;
  }
  const refused = params['scope'].split(' ').find((scope) => !grantable.has(scope));
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
}

/** Claims of ours: the grant and the account that a token acts for. */
export function actingClaims(
  _ctx: KoaContextWithOIDC,
  token: AccessToken | ClientCredentials,
): { readonly gid: string; readonly acct: number } | undefined {
  if (token.kind !== 'ClientCredentials' || token.client === undefined) return undefined;
  const { actingGrant } = registrationOf(token.client);
  return actingGrant === null ? undefined : { gid: String(actingGrant.id), acct: actingGrant.accountId };
}
