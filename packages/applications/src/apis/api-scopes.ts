/** The scopes of an API: their names and descriptions. And what signs the tokens with them. */

import { codePointLength } from '@linnet/contract/code-points';
import { scopes as ownScopes } from '@linnet/contract/scopes';

import { hasUnprintable } from '../application/application.ts';

const maxScopes = 30;
const maxScopeLength = 64;
const maxDescriptionLength = 200;

/** RFC 9068 §2.1 asks for RS256, and some gateways support nothing else. */
export const apiTokenAlgorithms = ['ES256', 'RS256'] as const;
export type ApiTokenAlgorithm = (typeof apiTokenAlgorithms)[number];

/** A scope of an API, and what it allows, in the developer's words. */
export interface ApiScope {
  readonly scope: string;
  readonly description: string;
}

/** The problems of scopes, each with text that follows the scope. */
export const apiScopeProblems = {
  none: 'An API needs at least one scope.',
  'too-many': `An API can have up to ${String(maxScopes)} scopes.`,
  malformed: `is not a valid name: up to ${String(maxScopeLength)} visible ASCII characters without ", \\ and #.`,
  reserved: 'is a scope of this service or of OpenID Connect.',
  repeated: 'is listed twice.',
  undescribed: `needs a description of up to ${String(maxDescriptionLength)} characters, after a space.`,
  unprintable: 'has a description with a character that cannot be displayed.',
} as const;

export type ApiScopeProblem = keyof typeof apiScopeProblems;

/** Ours, those of OpenID Connect Core §5.4, and the one that requests a refresh token. */
const reservedScopes: ReadonlySet<string> = new Set([
  ...ownScopes,
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]);

/** The first problem, and the scope that has it, if one has. */
export function findScopeProblem(
  scopes: readonly ApiScope[],
): { readonly problem: ApiScopeProblem; readonly value: string } | undefined {
  if (scopes.length === 0) return { problem: 'none', value: '' };
  if (scopes.length > maxScopes) return { problem: 'too-many', value: '' };
  const names = scopes.map(({ scope }) => scope);
  const rules: readonly (readonly [ApiScopeProblem, (one: ApiScope, index: number) => boolean])[] = [
    // RFC 6749 §3.3, without the separator of grants
    ['malformed', ({ scope }) => scope.length > maxScopeLength || !/^[!$-[\]-~]+$/.test(scope)],
    ['reserved', ({ scope }) => reservedScopes.has(scope)],
    ['repeated', ({ scope }, index) => names.indexOf(scope) !== index],
    ['undescribed', ({ description }) => description === '' || codePointLength(description) > maxDescriptionLength],
    ['unprintable', ({ description }) => hasUnprintable(description)],
  ];
  for (const [problem, isBroken] of rules) {
    const broken = scopes.find(isBroken);
    if (broken !== undefined) return { problem, value: broken.scope };
  }
  return undefined;
}

/** One line per scope: its name, a space, and its description. Blank lines are ignored. */
export function parseScopeLines(lines: readonly string[]): readonly ApiScope[] {
  return lines.flatMap((line) => {
    const [, scope, description = ''] = /^(\S+)(?:\s+(.*))?$/s.exec(line.trim()) ?? [];
    return scope === undefined ? [] : [{ scope, description: description.trim() }];
  });
}

/**
 * Scopes of registered APIs in grants. Two APIs may have scopes of one name, so a grant stores the scope with the
 * identifier of its API, such as `https://mcp.example.com/#tools:read`. An identifier contains no `#` (RFC 8707 §2), and
 * neither does a scope.
 */
const separator = '#';

interface OutsideScope {
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
