/** The settings of a registered API as submitted, and what can be wrong with them. */

import type { NameProblem as AnyNameProblem } from '@linnet/accounts/names/name-rules';

import { ApplicationRefused, parseApplicationName } from '../application/application.ts';
import { findRedirectUriProblem } from '../application/redirect-uri-policy.ts';
import type { ApiSettings } from './api-change-store.ts';
import { apiScopeProblems, findScopeProblem } from './api-scopes.ts';
import type { ApiScope, ApiScopeProblem, ApiTokenAlgorithm } from './api-scopes.ts';

/** Which identifiers an API may have. */
const maxIdentifierLength = 512;

/** The problems of an identifier, each with text that follows it. */
const identifierProblems = {
  'too-long': `is longer than ${String(maxIdentifierLength)} characters.`,
  malformed: 'is not a normalized https URL, such as https://api.example.com/notes.',
  fragment: 'has a fragment. Remove the # and everything after it.',
  query: 'has a query. Remove the ? and everything after it.',
  'insecure-scheme': 'uses http. Use https; http is only allowed for localhost, 127.0.0.1 and [::1].',
  'own-service': 'belongs to this service. Use the address of your own API.',
  taken: 'is registered already.',
} as const;

type IdentifierProblem = keyof typeof identifierProblems;

/**
 * The form in which an identifier is stored and compared: as browsers write it (RFC 3986 §6.2.3), without percent-encoding
 * that means nothing (§6.2.2) and `/` at the end of a path, because clients send all of these.
 */
export function toStoredIdentifier(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return text;
  const path = url.pathname.replace(/%[\da-f]{2}/gi, (octet) => {
    const character = decodeOctet(octet);
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
  url.pathname = path.replace(/\/+$/, ''); // that of a bare host stays `/`
  return url.href;
}

function decodeOctet(octet: string): string {
  return String.fromCodePoint(Number.parseInt(octet.slice(1), 16));
}

/** The first rule that an identifier breaks; undefined if it is allowed. RFC 8707 §2, and the rules for redirect URIs. */
function findIdentifierProblem(identifier: string, baseUrl: string): Exclude<IdentifierProblem, 'taken'> | undefined {
  if (identifier.length > maxIdentifierLength) return 'too-long';
  if (identifier.includes('#')) return 'fragment';
  if (identifier.includes('?')) return 'query';
  const problem = findRedirectUriProblem(identifier, 'confidential');
  if (problem === 'insecure-scheme') return problem;
  if (problem !== undefined) return 'malformed';
  return new URL(identifier).host === new URL(baseUrl).host ? 'own-service' : undefined;
}

/** What is wrong with a setting, for a form to show beside its field. */
export type ApiProblem =
  | { readonly field: 'owner'; readonly problem: 'too-many' }
  | { readonly field: 'identifier'; readonly problem: IdentifierProblem; readonly value: string }
  | { readonly field: 'name'; readonly problem: 'blank' | 'too-long' | AnyNameProblem }
  | { readonly field: 'scopes'; readonly problem: ApiScopeProblem; readonly value: string }
  | { readonly field: 'client_id'; readonly problem: 'unknown' | 'not-confidential'; readonly value: string };

/** The settings of an API are invalid: `problem` for forms, `message` for operators. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** As submitted. */
export interface SubmittedApi {
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  /** The application that may introspect tokens; undefined: none. */
  readonly clientId: string | undefined;
  /** Signs the access tokens for the API; ES256 by default. */
  readonly accessTokenAlg?: ApiTokenAlgorithm;
}

/** @throws ApiRefused */
export function parseSettings({ name, scopes, clientId, accessTokenAlg = 'ES256' }: SubmittedApi): ApiSettings {
  const broken = findScopeProblem(scopes);
  if (broken !== undefined) {
    const { problem, value } = broken;
    const subject = value === '' ? '' : `The scope ${JSON.stringify(value)} `;
    throw new ApiRefused({ field: 'scopes', problem, value }, subject + apiScopeProblems[problem]);
  }
  try {
    return { name: parseApplicationName(name), scopes, clientId, accessTokenAlg };
  } catch (error) {
    throw toApiRefused(error);
  }
}

/** Names of APIs follow the rules for applications. */
export function toApiRefused(error: unknown): unknown {
  if (!(error instanceof ApplicationRefused) || error.problem.field !== 'name') return error;
  return new ApiRefused(error.problem, error.message);
}

/** As it is stored. @throws ApiRefused */
export function parseIdentifier(text: string, baseUrl: string): string {
  const identifier = toStoredIdentifier(text.trim());
  const problem = findIdentifierProblem(identifier, baseUrl);
  if (problem !== undefined) throw refuseIdentifier(identifier, problem);
  return identifier;
}

export function refuseIdentifier(value: string, problem: IdentifierProblem): ApiRefused {
  return new ApiRefused(
    { field: 'identifier', problem, value },
    `The identifier ${JSON.stringify(value)} ${identifierProblems[problem]}`,
  );
}
