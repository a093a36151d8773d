/** Scopes that an application can register, in the order of the documentation (decisions D19). */
export const scopes = ['users', 'posts', 'email', 'users:read', 'posts:read', 'posts:propose'] as const;

/** For metadata: clients that ask for all scopes of a list, and people who choose from it, see the narrow ones first. */
export const scopesNarrowFirst = scopes.toSorted((a, b) => Number(b.includes(':')) - Number(a.includes(':')));

export type Scope = (typeof scopes)[number];

/** Scopes that say who somebody is. */
export const identityScopes: readonly string[] = ['email', 'openid', 'profile'];

/** A plain scope implies its narrower forms; `email` implies nothing. */
const implied: Partial<Record<Scope, readonly Scope[]>> = {
  users: ['users:read'],
  posts: ['posts:read', 'posts:propose'],
};

export function isScope(name: string): name is Scope {
  return (scopes as readonly string[]).includes(name); // `includes` accepts only members of the array's type
}

/** The granted scopes and those they imply. Unknown scopes are dropped. */
export function effectiveScopes(granted: Iterable<string>): ReadonlySet<Scope> {
  const effective = new Set<Scope>();
  for (const scope of granted) {
    if (!isScope(scope)) continue;
    effective.add(scope);
    for (const narrower of implied[scope] ?? []) effective.add(narrower);
  }
  return effective;
}

/** Scopes without those that others of them imply. */
export function withoutImplied(all: readonly Scope[]): readonly Scope[] {
  const narrower = new Set(all.flatMap((scope) => implied[scope] ?? []));
  return all.filter((scope) => !narrower.has(scope));
}
