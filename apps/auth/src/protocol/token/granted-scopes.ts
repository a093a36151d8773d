import { parseOutsideScope, toOutsideScope } from '@linnet/applications/apis/api-scopes';

import { identityScopes } from '../claims/person-claims.ts';

/** The words of a grant as the provider keeps them, apart for OpenID Connect and for each resource. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string | undefined } | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
}

/**
 * Removes scopes that are no longer granted. OpenID Connect scopes are derived, because grants from before ID tokens
 * contained an e-mail address store `email` as a scope of the API only. `audience` is that of our own API.
 */
export function narrowTo<Payload extends GrantPayload>(
  payload: Payload,
  scopes: readonly string[],
  audience: string,
): Payload {
  const { openid, resources } = payload;
  const identity = identityScopes.filter((name) => scopes.includes(name)).join(' ');
  const keep = (resource: string, scope: string) => {
    const kept = scope.split(' ').filter((name) => scopes.includes(toStoredScope(resource, name, audience)));
    return kept.join(' ');
  };
  return {
    ...payload,
    ...(identity === '' && openid === undefined ? {} : { openid: { ...openid, scope: identity } }),
    ...(resources === undefined
      ? {}
      : {
          resources: Object.fromEntries(
            Object.entries(resources).map(([resource, scope]) => [resource, keep(resource, scope)]),
          ),
        }),
  };
}

/** All scopes of a grant, without duplicates. Those of a registered API contain its identifier. */
export function grantedScopes({ openid, resources }: GrantPayload, audience: string): readonly string[] {
  const ofResources = Object.entries(resources ?? {}).flatMap(([resource, scope]) =>
    wordsOf(scope).map((name) => toStoredScope(resource, name, audience)),
  );
  return [...new Set([...wordsOf(openid?.scope), ...ofResources])];
}

/** The scopes as the provider wants them: a list of names for each resource. The reverse of `grantedScopes`. */
export function groupByResource(scopes: readonly string[], audience: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const scope of scopes) {
    const { identifier, name } = parseOutsideScope(scope) ?? { identifier: audience, name: scope };
    groups.set(identifier, [...(groups.get(identifier) ?? []), name]);
  }
  return groups;
}

function toStoredScope(resource: string, name: string, audience: string): string {
  return resource === audience ? name : toOutsideScope({ identifier: resource, name });
}

function wordsOf(scope: string | undefined): readonly string[] {
  return scope?.split(' ').filter((name) => name !== '') ?? [];
}
