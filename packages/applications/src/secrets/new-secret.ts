/** Checks the form that adds a secret. */
import { findNameProblem } from '../application/application.ts';
import type { NameProblem } from '../application/application.ts';

/** `date`: until the end of a day. */
export const secretLifetimes = ['never', '90-days', '1-year', 'date'] as const;

/** As typed in the form. */
export interface SecretRequest {
  /** Blank: shown by its creation date. */
  readonly name: string;
  /** Empty: never expires. */
  readonly lifetime: string;
  /** Such as `2027-02-28`, for the lifetime `date`. */
  readonly lastDay: string;
}

/** As it is stored. */
export interface NewSecret {
  readonly name: string | null;
  readonly expiresAt: Date | null;
}

type SecretNameProblem = Exclude<NameProblem, 'blank'>;

export interface SecretProblems {
  readonly name?: SecretNameProblem;
  readonly lifetime?: 'unknown';
  readonly lastDay?: 'missing' | 'malformed' | 'past' | 'too-far';
}

const dayMs = 86_400_000;
const daysOf = { '90-days': 90, '1-year': 365 } as const;
const maxYears = 10;

type Parsed =
  | { readonly secret: NewSecret; readonly problems?: undefined }
  | { readonly secret?: undefined; readonly problems: SecretProblems };

/** The new secret, or every problem. */
export function parseNewSecret({ name, lifetime, lastDay }: SecretRequest, now: Date): Parsed {
  const named = parseSecretName(name);
  const expiry = parseExpiry(lifetime, lastDay, now);
  if (!('problem' in named) && !('problem' in expiry)) {
    return { secret: { name: named.name, expiresAt: expiry.expiresAt } };
  }
  return {
    problems: {
      ...('problem' in named ? { name: named.problem } : {}),
      ...('problem' in expiry ? expiry.problem : {}),
    },
  };
}

type Named = { readonly name: string | null } | { readonly problem: SecretNameProblem };

/** Null for a blank name: the secret is shown by its creation date. */
export function parseSecretName(name: string): Named {
  const trimmed = name.trim();
  if (trimmed === '') return { name: null };
  const problem = findNameProblem(trimmed);
  if (problem === undefined) return { name: trimmed };
  // A name of invisible characters that trimming keeps, such as joiners, is not printable.
  return { problem: problem === 'blank' ? 'unprintable' : problem };
}

type Expiry = { readonly expiresAt: Date | null } | { readonly problem: Omit<SecretProblems, 'name'> };

function parseExpiry(lifetime: string, lastDay: string, now: Date): Expiry {
  switch (lifetime) {
    case '':
    case 'never':
      return { expiresAt: null };
    case '90-days':
    case '1-year':
      return { expiresAt: new Date(now.getTime() + daysOf[lifetime] * dayMs) };
    case 'date':
      return parseLastDay(lastDay.trim(), now);
    default:
      return { problem: { lifetime: 'unknown' } };
  }
}

function parseLastDay(text: string, now: Date): Expiry {
  if (text === '') return { problem: { lastDay: 'missing' } };
  const end = new Date(`${text}T23:59:59.999Z`);
  // Date would accept 30 February as a day in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(end.getTime()) && end.toISOString().startsWith(text);
  if (!isDay) return { problem: { lastDay: 'malformed' } };
  if (end <= now) return { problem: { lastDay: 'past' } };
  const furthest = new Date(now);
  furthest.setUTCFullYear(furthest.getUTCFullYear() + maxYears);
  return end > furthest ? { problem: { lastDay: 'too-far' } } : { expiresAt: end };
}
