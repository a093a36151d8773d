import { interactionPolicy } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { identityScopes } from '../claims/person-claims.ts';

/**
 * A check for the prompt `consent`. Grants keep OpenID Connect scopes as scopes of our own API, too, so the provider's
 * check of its scopes covers them. This one covers requests that name other resources only (RFC 8707).
 * `audience` is that of our own API.
 */
export function askForIdentity(audience: string): interactionPolicy.Check {
  const { NO_NEED_TO_PROMPT, REQUEST_PROMPT } = interactionPolicy.Check;
  return new interactionPolicy.Check('identity_missing', 'requested scopes not granted', ({ oidc }) =>
    isAnyMissing(oidc, audience) ? REQUEST_PROMPT : NO_NEED_TO_PROMPT,
  );
}

function isAnyMissing({ params, resourceServers, entities }: KoaContextWithOIDC['oidc'], audience: string): boolean {
  const scope = params?.['scope'];
  if (typeof scope !== 'string' || resourceServers?.[audience] !== undefined) return false;
  const encountered = entities.Grant?.getResourceScopeEncountered(audience).split(' ') ?? [];
  return scope.split(' ').some((name) => identityScopes.includes(name) && !encountered.includes(name));
}
