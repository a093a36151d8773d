/** Scope words an application can register, in the order they are documented (decisions D19). */
export const scopes = ['users', 'posts', 'email', 'users:read', 'posts:read'] as const;

export type Scope = (typeof scopes)[number];

/** The plain word implies its narrower form; `email` stands alone. */
const implied: Partial<Record<Scope, Scope>> = { users: 'users:read', posts: 'posts:read' };

export function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word); // widened only to ask
}

/** The scopes that granted words stand for: themselves and what they imply. Unknown words are left out. */
export function effectiveScopes(granted: Iterable<string>): ReadonlySet<Scope> {
  const effective = new Set<Scope>();
  for (const word of granted) {
    if (!isScope(word)) continue;
    effective.add(word);
    const narrower = implied[word];
    if (narrower !== undefined) effective.add(narrower);
  }
  return effective;
}
