import { identityScopes } from '../claims/person-claims.ts';

/** The words of a grant as the provider keeps them, apart for OpenID Connect and for each resource. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string | undefined } | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
}

/**
 * Removes scopes that are no longer granted. OpenID Connect scopes are derived, because grants from before ID tokens
 * contained an e-mail address store `email` as a scope of the API only.
 */
export function narrowTo<Payload extends GrantPayload>(payload: Payload, scopes: readonly string[]): Payload {
  const { openid, resources } = payload;
  const identity = identityScopes.filter((name) => scopes.includes(name)).join(' ');
  const keep = (scope: string) => {
    const kept = scope.split(' ').filter((name) => scopes.includes(name));
    return kept.join(' ');
  };
  return {
    ...payload,
    ...(identity === '' && openid === undefined ? {} : { openid: { ...openid, scope: identity } }),
    ...(resources === undefined
      ? {}
      : {
          resources: Object.fromEntries(Object.entries(resources).map(([resource, scope]) => [resource, keep(scope)])),
        }),
  };
}

/** All scopes of a grant, without duplicates. */
export function grantedScopes({ openid, resources }: GrantPayload): readonly string[] {
  const names = [openid?.scope, ...Object.values(resources ?? {})].flatMap((scope) => scope?.split(' ') ?? []);
  return [...new Set(names.filter((name) => name !== ''))];
}
