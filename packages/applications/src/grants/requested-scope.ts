/** Scopes as an application asks people for them. */

/** What an application registered, as far as people are asked. */
export interface AskingRegistration {
  readonly scopes: readonly string[];
  readonly optionalScopes: readonly string[];
  readonly scopeReasons: Readonly<Record<string, string>>;
}

export interface AskedScope {
  readonly scope: string;
  /** People may leave it out. */
  readonly isOptional: boolean;
  /** In the words of the application's developer. */
  readonly reason?: string | undefined;
  /** Left out where nothing was allowed before. */
  readonly status?: 'new' | 'allowed';
}

/**
 * The words as they are asked for, in their order. One that was not registered itself goes by the one that
 * implies it, `users:read` by `users`; whoever has to agree to that has nothing to choose of the narrower one.
 */
export function describeScopes(words: readonly string[], registration: AskingRegistration): readonly AskedScope[] {
  const { scopes, optionalScopes, scopeReasons } = registration;
  const isRequired = (word: string) => words.includes(word) && !optionalScopes.includes(word);
  return words.map((scope) => {
    const [plain = scope] = scope.split(':');
    const registered = scopes.includes(scope) ? scope : plain;
    const isOptional = optionalScopes.includes(registered) && !(plain !== scope && isRequired(plain));
    return {
      scope,
      isOptional,
      reason: Object.hasOwn(scopeReasons, registered) ? scopeReasons[registered] : undefined,
    };
  });
}

/** The same, told apart by what was allowed before; `allowed` is undefined where nothing was. */
export function compareScopes(
  asked: readonly AskedScope[],
  allowed: readonly string[] | undefined,
): readonly AskedScope[] {
  if (allowed === undefined) return asked;
  return asked.map((one) => ({ ...one, status: allowed.includes(one.scope) ? 'allowed' : 'new' }));
}
