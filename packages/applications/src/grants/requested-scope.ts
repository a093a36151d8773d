/** Scopes as the consent page shows them. */
import { parseOutsideScope } from '../apis/api-scopes.ts';
import type { EarlierConsent } from './earlier-consent-store.ts';

/** The registered scopes of an application, with its settings for the consent page. */
export interface RegisteredScopes {
  readonly scopes: readonly string[];
  readonly optionalScopes: readonly string[];
  readonly scopeReasons: Readonly<Record<string, string>>;
}

/** What people need to know about a scope of a registered API. */
export interface OutsideApi {
  readonly identifier: string;
  readonly name: string;
  /** Username of the developer who registered it. */
  readonly owner: string;
  /** Whether its own metadata names this service, which proves that the owner controls its address. */
  readonly isProven: boolean;
  /** What the scope allows, in the developer's words. */
  readonly description: string;
}

export interface RequestedScope {
  /** As grants store it: a scope of a registered API contains the identifier of the API. */
  readonly scope: string;
  /** People may decline it. */
  readonly isOptional: boolean;
  /** Written by the developer. */
  readonly reason?: string | undefined;
  /** Undefined if nothing was granted before. */
  readonly status?: 'new' | 'allowed';
  /** Undefined for scopes of our own API, and for those of a deleted API. */
  readonly api?: OutsideApi | undefined;
}

/** The registered APIs whose scopes are described. */
type DescribedApis = readonly (Pick<OutsideApi, 'identifier' | 'name' | 'owner' | 'isProven'> & {
  readonly scopes: readonly { readonly scope: string; readonly description: string }[];
})[];

/**
 * Describes requested scopes, in their order. A scope that is not registered itself uses the settings of the one that
 * implies it, such as `users` for `users:read`. It is not optional if the wider scope is requested and required. An
 * unregistered `email`, which applications may request beside `openid`, is optional. Scopes of `apis` are required, and
 * described by the developer of the API.
 */
export function describeScopes(
  names: readonly string[],
  registration: RegisteredScopes,
  apis: DescribedApis = [],
): readonly RequestedScope[] {
  const { scopes, optionalScopes, scopeReasons } = registration;
  const isRequired = (name: string) => names.includes(name) && !optionalScopes.includes(name);
  return names.map((scope) => {
    if (parseOutsideScope(scope) !== undefined) return { scope, isOptional: false, api: findOutsideApi(scope, apis) };
    const [plain = scope] = scope.split(':');
    const registered = scopes.includes(scope) ? scope : plain;
    const isUnregisteredEmail = scope === 'email' && !scopes.includes(scope);
    const isDeclinable = optionalScopes.includes(registered) || isUnregisteredEmail;
    const isOptional = isDeclinable && !(plain !== scope && isRequired(plain));
    return {
      scope,
      isOptional,
      reason: Object.hasOwn(scopeReasons, registered) ? scopeReasons[registered] : undefined,
    };
  });
}

function findOutsideApi(scope: string, apis: DescribedApis): OutsideApi | undefined {
  const { identifier, name } = parseOutsideScope(scope) ?? {};
  const api = apis.find((one) => one.identifier === identifier);
  const description = api?.scopes.find((one) => one.scope === name)?.description;
  return identifier === undefined || api === undefined || description === undefined
    ? undefined
    : { identifier, name: api.name, owner: api.owner, isProven: api.isProven, description };
}

/** Adds the status. `earlier` is undefined if nothing was granted before. */
export function compareScopes(
  requested: readonly RequestedScope[],
  earlier: Pick<EarlierConsent, 'scopes'> | undefined,
): readonly RequestedScope[] {
  if (earlier === undefined) return requested;
  const granted = new Set(earlier.scopes.map(({ scope }) => scope));
  return requested.map((one) => ({ ...one, status: granted.has(one.scope) ? 'allowed' : 'new' }));
}
