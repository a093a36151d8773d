/** Rules of an application's registration; the store and every form ask them. */
import { codePointLength } from '@linnet/contract/code-points';
import { isScope } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';

import type { ApplicationType } from './application-type.ts';
import { findRedirectUriProblem, redirectUriProblems } from './redirect-uri-policy.ts';
import type { RedirectUriProblem } from './redirect-uri-policy.ts';

/** What an application may register: the scopes of the API, and `openid` for sign-in. */
export type RegistrableScope = Scope | 'openid';

/** Why an application was refused, in a way that a form can show beside its field. */
export type ApplicationProblem =
  | { readonly field: 'owner'; readonly problem: 'unknown'; readonly value: string }
  | { readonly field: 'owner'; readonly problem: 'too-many' }
  | { readonly field: 'name'; readonly problem: 'blank' | 'too-long' | 'unprintable' }
  | {
      readonly field: 'scope';
      readonly problem: 'unknown' | 'reason-too-long' | 'reason-unprintable';
      readonly value: string;
    }
  | { readonly field: 'redirect_uris'; readonly problem: 'too-many' }
  | { readonly field: 'redirect_uris'; readonly problem: RedirectUriProblem; readonly value: string }
  | { readonly field: 'implicit'; readonly problem: 'native' | 'no-redirect-uri' }
  | { readonly field: 'jwks_uri'; readonly problem: 'not-confidential' | 'bad-address' | 'missing' }
  | { readonly field: 'jwks'; readonly problem: 'both' | 'malformed' | 'private' };

/** The registration is refused; `problems` tells why, `message` the same in words. */
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
// Controls, lone surrogates, private use, line separators, and what is invisible or turns text round.
// The joiners U+200C and U+200D stay: emoji, Persian and Indic names need them.
const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u00AD\u200B\u2060-\u2064\uFEFF]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text of one line holds what cannot be shown, or would confuse whoever reads it. */
export function hasUnprintable(text: string): boolean {
  return unprintable.test(text);
}

/**
 * The name as it is stored: without white space at its ends, 1–60 code points, all printable.
 * @throws ApplicationRefused
 */
export function parseApplicationName(text: string): string {
  const name = text.trim();
  const problem = findNameProblem(name);
  if (problem === undefined) return name;
  throw new ApplicationRefused({ field: 'name', problem }, `The name of the application ${nameProblems[problem]}.`);
}

export type NameProblem = 'blank' | 'too-long' | 'unprintable';

const nameProblems: Readonly<Record<NameProblem, string>> = {
  unprintable: 'holds a character that cannot be printed',
  blank: 'is blank',
  'too-long': `is longer than ${String(maxNameLength)} characters`,
};

/** What keeps a text without white space at its ends from being a name. */
export function findNameProblem(name: string): NameProblem | undefined {
  if (hasUnprintable(name)) return 'unprintable';
  if (!visible.test(name)) return 'blank';
  return codePointLength(name) > maxNameLength ? 'too-long' : undefined;
}

/**
 * The scopes in the order given, each once.
 * @throws ApplicationRefused for a word that is no scope.
 */
export function parseScopes(words: readonly string[]): readonly RegistrableScope[] {
  return [...new Set(words)].map((word) => {
    if (isScope(word) || word === 'openid') return word;
    throw new ApplicationRefused(
      { field: 'scope', problem: 'unknown', value: word },
      `There is no scope ${JSON.stringify(word)}.`,
    );
  });
}

/**
 * The return addresses in the order given, each once.
 * @throws ApplicationRefused for all that the policy forbids, and for too many.
 */
export function parseRedirectUris(given: readonly string[], type: ApplicationType): readonly string[] {
  const uris = [...new Set(given)];
  if (uris.length > maxRedirectUris) {
    throw new ApplicationRefused(
      { field: 'redirect_uris', problem: 'too-many' },
      `An application has at most ${String(maxRedirectUris)} return addresses.`,
    );
  }
  const refusals = uris.flatMap((uri) => {
    const problem = findRedirectUriProblem(uri, type);
    return problem === undefined ? [] : [refusedRedirectUri(uri, problem)];
  });
  throwAll(refusals);
  return uris;
}

function refusedRedirectUri(uri: string, problem: RedirectUriProblem): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'redirect_uris', problem, value: uri },
    `The return address ${JSON.stringify(uri)} ${redirectUriProblems[problem]}.`,
  );
}

/** @throws ApplicationRefused with everything that the refusals tell, when there is one. */
export function throwAll(refusals: readonly ApplicationRefused[]): void {
  const [problem, ...others] = refusals.flatMap(({ problems }) => problems);
  if (problem === undefined) return;
  throw new ApplicationRefused(problem, refusals.map(({ message }) => message).join(' '), others);
}
