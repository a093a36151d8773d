/** Scopes as the consent page shows them. */
import type { EarlierConsent } from './earlier-consent-store.ts';

/** The registered scopes of an application, with its settings for the consent page. */
export interface RegisteredScopes {
  readonly scopes: readonly string[];
  readonly optionalScopes: readonly string[];
  readonly scopeReasons: Readonly<Record<string, string>>;
}

export interface RequestedScope {
  readonly scope: string;
  /** People may decline it. */
  readonly isOptional: boolean;
  /** Written by the developer. */
  readonly reason?: string | undefined;
  /** Undefined if nothing was granted before. */
  readonly status?: 'new' | 'allowed';
}

/**
 * Describes requested scopes, in their order. A scope that is not registered itself uses the settings of the one that
 * implies it, such as `users` for `users:read`. It is not optional if the wider scope is requested and required. An
 * unregistered `email`, which applications may request beside `openid`, is optional.
 */
export function describeScopes(names: readonly string[], registration: RegisteredScopes): readonly RequestedScope[] {
  const { scopes, optionalScopes, scopeReasons } = registration;
  const isRequired = (name: string) => names.includes(name) && !optionalScopes.includes(name);
  return names.map((scope) => {
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

/** Adds the status. `earlier` is undefined if nothing was granted before. */
export function compareScopes(
  requested: readonly RequestedScope[],
  earlier: Pick<EarlierConsent, 'scopes'> | undefined,
): readonly RequestedScope[] {
  if (earlier === undefined) return requested;
  const granted = new Set(earlier.scopes.map(({ scope }) => scope));
  return requested.map((one) => ({ ...one, status: granted.has(one.scope) ? 'allowed' : 'new' }));
}
