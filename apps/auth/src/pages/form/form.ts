import { durations } from '@linnet/applications/grants/active-grant';
import type { Duration } from '@linnet/applications/grants/active-grant';

/** The body is not a form that our pages send. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A field. */
export type FormPair = readonly [name: string, value: string];

/** What no form is shown again with: passwords, codes and other secrets, and what is new on each page. */
export const unkeptFields: ReadonlySet<string> = new Set([
  ...[
    'password',
    'current_password',
    'new_password',
    'code',
    'recovery_code',
    'user_code',
    'passkey',
    'client_secret',
    'enrolment',
  ],
  ...['client_assertion', 'refresh_assertion', 'revoke_assertion'],
  ...['csrf', 'mark', 'held'],
]);

/** The fields of a submitted form, unchanged. */
export interface Form {
  /** All fields, in order. */
  readonly pairs: readonly FormPair[];
  /** The value of a field, empty if it is missing. @throws FormRefused if it is repeated. */
  text(name: string): string;
  /** All values of a field, in order. */
  all(name: string): readonly string[];
  /** The trimmed, non-blank lines of all values of a field. */
  lines(name: string): readonly string[];
  /** Whether a field has a non-empty value: a checked checkbox, a pressed button. */
  has(name: string): boolean;
}

/** Creates a form from its fields. */
export function createForm(pairs: readonly FormPair[]): Form {
  const all = (name: string) => pairs.filter(([given]) => given === name).map(([, value]) => value);
  return {
    pairs,
    all,
    text: (name) => {
      const [value = '', ...others] = all(name);
      if (others.length > 0) throw new FormRefused(400, `The field ${JSON.stringify(name)} must not be repeated.`);
      return value;
    },
    lines: (name) => all(name).flatMap(toLines),
    has: (name) => all(name).some((value) => value !== ''),
  };
}

function toLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The field with which people choose how long a grant lasts. */
export const durationField = 'duration';

/**
 * Undefined for a form without the field.
 * @throws FormRefused if the value is not one of `durations`.
 */
export function findDuration(form: Form): Duration | undefined {
  const given = form.text(durationField);
  if (given === '') return undefined;
  const duration = durations.find((one) => one === given);
  if (duration === undefined) throw new FormRefused(400, `There is no duration ${JSON.stringify(given)}.`);
  return duration;
}

/** The hidden field with the granted scopes that a page lists. A new expiry extends no other scope. */
const shownScopesField = 'shown_scopes';

/** The hidden field of a form, by name; none if the page lists no scope. */
export function scopesField(scopes: readonly { readonly scope: string }[]): Readonly<Record<string, string>> {
  return scopes.length === 0 ? {} : { [shownScopesField]: scopes.map(({ scope }) => scope).join(' ') };
}

/** Empty for a form without the field. */
export function readScopesField(form: Form): readonly string[] {
  return form
    .text(shownScopesField)
    .split(' ')
    .filter((scope) => scope !== '');
}
