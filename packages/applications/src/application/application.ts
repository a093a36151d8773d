/** Rules for the settings of an application, for operators and developers. */

import { randomBytes } from 'node:crypto';

import type { NameProblem as AnyNameProblem } from '@linnet/accounts/names/name-rules';
import { codePointLength } from '@linnet/contract/code-points';
import { hasInvisible } from '@linnet/contract/name-text';
import { isScope, scopes } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';

import type { SettingName } from '../settings/protocol-settings.ts';
import type { SettingProblem } from '../settings/setting-kinds.ts';
import type { ApplicationType } from './application-type.ts';
import { findRedirectUriProblem, redirectUriProblems } from './redirect-uri-policy.ts';
import type { RedirectUriProblem } from './redirect-uri-policy.ts';

/** Scopes that an application can register: those of the API, and `openid` for sign-in. */
export type RegistrableScope = Scope | 'openid';

/** What is wrong with a setting, for a form to show beside its field. */
export type ApplicationProblem =
  | { readonly field: 'owner'; readonly problem: 'unknown'; readonly value: string }
  | { readonly field: 'owner'; readonly problem: 'too-many' }
  | { readonly field: 'name'; readonly problem: 'blank' | 'too-long' | AnyNameProblem }
  | {
      readonly field: 'scope';
      readonly problem: 'unknown' | 'reason-too-long' | 'reason-unprintable';
      readonly value: string;
    }
  | { readonly field: 'redirect_uris'; readonly problem: 'too-many' }
  | { readonly field: 'redirect_uris'; readonly problem: RedirectUriProblem; readonly value: string }
  | { readonly field: 'implicit'; readonly problem: 'native' | 'no-redirect-uri' | 'strict' }
  | { readonly field: SettingName; readonly problem: SettingProblem; readonly value: string }
  | { readonly field: 'jwks_uri'; readonly problem: 'not-confidential' | 'bad-address' | 'missing' | 'none' }
  | { readonly field: 'token_endpoint_auth_method'; readonly problem: 'has-secret' }
  | { readonly field: 'jwks'; readonly problem: 'both' | 'malformed' | 'private' };

/** The settings are invalid: `problems` for forms, `message` for operators. */
export class ApplicationRefused extends Error {
  override readonly name = 'ApplicationRefused';
  /** The first of `problems`. */
  readonly problem: ApplicationProblem;
  readonly problems: readonly ApplicationProblem[];

  constructor(problem: ApplicationProblem, message: string, others: readonly ApplicationProblem[] = []) {
    super(message);
    this.problem = problem;
    this.problems = [problem, ...others];
  }
}

const maxNameLength = 60;
const maxRedirectUris = 20;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a line of text contains characters that cannot be displayed or that mislead readers. */
export function hasUnprintable(text: string): boolean {
  return hasInvisible(text);
}

/**
 * The name as it is stored: trimmed, 1–60 code points, all printable.
 * @throws ApplicationRefused
 */
export function parseApplicationName(text: string): string {
  const name = text.trim();
  const problem = findNameProblem(name);
  if (problem === undefined) return name;
  throw new ApplicationRefused({ field: 'name', problem }, nameProblems[problem]);
}

export type NameProblem = 'blank' | 'too-long' | 'unprintable';

const nameProblems: Readonly<Record<NameProblem, string>> = {
  unprintable: 'The name contains a character that cannot be displayed.',
  blank: 'The name must not be blank.',
  'too-long': `The name must be ${String(maxNameLength)} characters or fewer.`,
};

/** Expects trimmed text. */
export function findNameProblem(name: string): NameProblem | undefined {
  if (hasUnprintable(name)) return 'unprintable';
  if (!visible.test(name)) return 'blank';
  return codePointLength(name) > maxNameLength ? 'too-long' : undefined;
}

/**
 * The scopes in their order, without duplicates.
 * @throws ApplicationRefused for an unknown scope
 */
export function parseScopes(names: readonly string[]): readonly RegistrableScope[] {
  return [...new Set(names)].map((name) => {
    if (isScope(name) || name === 'openid') return name;
    throw new ApplicationRefused(
      { field: 'scope', problem: 'unknown', value: name },
      `There is no scope ${JSON.stringify(name)}. Choose from ${[...scopes, 'openid'].join(', ')}.`,
    );
  });
}

/**
 * The redirect URIs in their order, without duplicates.
 * @throws ApplicationRefused for too many, or with every one that the policy rejects
 */
export function parseRedirectUris(candidates: readonly string[], type: ApplicationType): readonly string[] {
  const uris = [...new Set(candidates)];
  if (uris.length > maxRedirectUris) {
    throw new ApplicationRefused(
      { field: 'redirect_uris', problem: 'too-many' },
      `An application can have up to ${String(maxRedirectUris)} redirect URIs.`,
    );
  }
  const refusals = uris.flatMap((uri) => {
    const problem = findRedirectUriProblem(uri, type);
    return problem === undefined ? [] : [refuseRedirectUri(uri, problem)];
  });
  throwRefusals(refusals);
  return uris;
}

function refuseRedirectUri(uri: string, problem: RedirectUriProblem): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'redirect_uris', problem, value: uri },
    `The redirect URI ${JSON.stringify(uri)} ${redirectUriProblems[problem]}`,
  );
}

/** Throws all refusals as one, with one line of `message` each. @throws ApplicationRefused */
export function throwRefusals(refusals: readonly ApplicationRefused[]): void {
  const [problem, ...others] = refusals.flatMap(({ problems }) => problems);
  if (problem === undefined) return;
  throw new ApplicationRefused(problem, refusals.map(({ message }) => message).join('\n'), others);
}

/** Client ids that are the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document §3). */
const maxLength = 256;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** An address in place of a name; the URL parser has normalized unusual forms such as `0x7f.1`. */
const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/**
 * Whether the text is such a URL: https, in normal form, up to 256 characters, with a host name and without port, user
 * information, dot segments and fragment. On a loopback host it may use http and any port; that is for services that
 * run on a loopback address as well.
 */
export function isClientUrl(text: string): boolean {
  if (text.length > maxLength || !/^https?:\/\/[!-~]+$/.test(text)) return false;
  const url = URL.parse(text);
  // The parser removes dot segments and default ports, and encodes what must not be there.
  if (url?.href !== text || text.includes('#') || url.username !== '' || url.password !== '') return false;
  return loopbackHosts.has(url.hostname) || isPublicAddress(url);
}

function isPublicAddress({ protocol, port, hostname }: URL): boolean {
  return protocol === 'https:' && port === '' && !ipAddress.test(hostname);
}

/** The host of a client id that is a URL, for people; undefined for other client ids. */
export function findClientHost(clientId: string): string | undefined {
  return isClientUrl(clientId) ? new URL(clientId).host : undefined;
}

/** Cannot be mistaken for an account id (RFC 9700 §4.15) or a command-line option. */
export function generateClientId(): string {
  return `app_${randomBytes(16).toString('base64url')}`;
}

/** Whether the text has the form of a client id. If not, there is no need to look it up. */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9_-]{16,64}$/.test(text) || isClientUrl(text);
}

/** The claim `gid` of access tokens. Not a secret. */
export function generateGrantId(): string {
  return randomBytes(16).toString('base64url');
}
