/** The scope that a request names, before the provider reads it. */
import { isScope } from '@linnet/contract/scopes';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** OpenID Connect scopes that every application may request at the authorization endpoint (decisions, Details 11). */
export const openidScopes = ['openid', 'profile'] as const;

/**
 * The scopes that the request may name without registration: those above, and `email` beside `openid`, which is what
 * OpenID Connect clients request by default. People can decline `email`.
 */
export function findSignInScopes({ oidc: { params, entities } }: KoaContextWithOIDC): readonly string[] {
  const { AuthorizationCode: code, RefreshToken: refreshToken, DeviceCode: deviceCode } = entities;
  const scope = (code ?? refreshToken ?? deviceCode)?.scope ?? params?.['scope'];
  const hasOpenid = typeof scope === 'string' && scope.split(' ').includes('openid');
  return hasOpenid ? [...openidScopes, 'email'] : openidScopes;
}

/** Called with scopes that do not exist, which the request named beside `openid`. */
export type ReportIgnored = (ctx: KoaContextWithOIDC, scopes: readonly string[]) => void;

/** What `resolveScope` reads and changes of a request. */
interface ScopeRequest {
  readonly oidc: Pick<KoaContextWithOIDC['oidc'], 'params' | 'route'>;
}

/**
 * A request without `scope` requests all registered scopes (decisions D44). Scopes that are not allowed are rejected
 * here, because the provider would drop them silently. This runs before the provider reads the requested scope,
 * whether or not the client names the resource. Returns the scopes that were ignored, because they do not exist.
 */
export function resolveScope(
  { oidc: { params, route } }: ScopeRequest,
  registered: readonly string[],
  grantable: ReadonlySet<string>,
): readonly string[] {
  if (params === undefined || !isRequest(params, route)) return [];
  if (typeof params['scope'] !== 'string') {
    params['scope'] = registered.length === 0 ? undefined : registered.join(' ');
    return [];
  }
  // Every code comes with a refresh token (decisions D50), so `offline_access` is ignored.
  const named = params['scope'].split(' ').filter((scope) => scope !== 'offline_access');
  // OpenID Connect Core §3.1.2.1: scopes that the server does not know are ignored.
  const isSignIn = named.includes('openid') && grantable.has('openid');
  const ignored = isSignIn ? named.filter((scope) => isUnknown(scope) && !grantable.has(scope)) : [];
  const requested = named.filter((scope) => !ignored.includes(scope));
  const rejected = requested.find((scope) => !grantable.has(scope));
  if (rejected !== undefined) throw new errors.InvalidScope('requested scope is not allowed', rejected);
  params['scope'] = requested.join(' ');
  return ignored;
}

/** A refresh only narrows what was granted; the provider checks that. */
function isRequest(params: Readonly<Record<string, unknown>>, route: string): boolean {
  return (
    params['grant_type'] === 'client_credentials' ||
    params['response_type'] !== undefined ||
    route === 'device_authorization'
  );
}

function isUnknown(scope: string): boolean {
  return !isScope(scope) && !openidScopes.some((name) => name === scope);
}
