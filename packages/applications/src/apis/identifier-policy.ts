/** Which identifiers an API may have. */
import { findRedirectUriProblem } from '../redirect-uri-policy.ts';

const maxIdentifierLength = 512;

/** The problems of an identifier, each with text that follows it. */
export const identifierProblems = {
  'too-long': `is longer than ${String(maxIdentifierLength)} characters.`,
  malformed: 'is not a normalized https URL, such as https://api.example.com/notes.',
  fragment: 'has a fragment. Remove the # and everything after it.',
  query: 'has a query. Remove the ? and everything after it.',
  'insecure-scheme': 'uses http. Use https; http is only allowed for localhost, 127.0.0.1 and [::1].',
  'own-service': 'belongs to this service. Use the address of your own API.',
  taken: 'is registered already.',
} as const;

export type IdentifierProblem = keyof typeof identifierProblems;

/**
 * The form in which an identifier is stored and compared: a bare host gets its `/` (RFC 3986 §6.2.3), because clients
 * send it with and without.
 */
export function toStoredIdentifier(text: string): string {
  return /^https?:\/\/[^/?#]+$/.test(text) ? `${text}/` : text;
}

/** The first rule that an identifier breaks; undefined if it is allowed. RFC 8707 §2, and the rules for redirect URIs. */
export function findIdentifierProblem(
  identifier: string,
  baseUrl: string,
): Exclude<IdentifierProblem, 'taken'> | undefined {
  if (identifier.length > maxIdentifierLength) return 'too-long';
  if (identifier.includes('#')) return 'fragment';
  if (identifier.includes('?')) return 'query';
  const problem = findRedirectUriProblem(identifier, 'confidential');
  if (problem === 'insecure-scheme') return problem;
  if (problem !== undefined) return 'malformed';
  return new URL(identifier).host === new URL(baseUrl).host ? 'own-service' : undefined;
}
