/**
 * Scopes of registered APIs in grants. Two APIs may have scopes of one name, so a grant stores the scope with the
 * identifier of its API, such as `https://mcp.example.com/#tools:read`. An identifier contains no `#` (RFC 8707 §2), and
 * neither do the scopes of our own API.
 */
const separator = '#';

export interface OutsideScope {
  /** The identifier of the API. */
  readonly identifier: string;
  /** The scope by the name that tokens contain. */
  readonly name: string;
}

export function toOutsideScope({ identifier, name }: OutsideScope): string {
  return `${identifier}${separator}${name}`;
}

/** Undefined for a scope of our own API. */
export function parseOutsideScope(scope: string): OutsideScope | undefined {
  const end = scope.indexOf(separator);
  return end === -1 ? undefined : { identifier: scope.slice(0, end), name: scope.slice(end + separator.length) };
}

/** The identifiers of the APIs that the scopes belong to, each once. */
export function findIdentifiers(scopes: Iterable<string>): readonly string[] {
  const found = [...scopes].flatMap((scope) => parseOutsideScope(scope)?.identifier ?? []);
  return [...new Set(found)];
}
