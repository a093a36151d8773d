import { codePointLength } from '@linnet/contract/code-points';
import { passwordParameter } from '@linnet/contract/parameters';
import { registerAccount } from '@linnet/contract/routes/auth';

import type { Registration } from './account.ts';

/** The fields of a registration, as the contract, the forms and the problems name them. */
const registrationFields = ['first_name', 'last_name', 'username', 'email', 'password'] as const;

type RegistrationField = (typeof registrationFields)[number];

/** Unvalidated input. A missing username is generated. */
export type RegistrationInput = Readonly<Partial<Record<RegistrationField, string>>>;

export interface RegistrationProblem {
  readonly kind: 'missing' | 'too-short' | 'too-long' | 'malformed';
  /** The contract's message; it reads on from the field's name ("must …"). */
  readonly message: string;
}

export type RegistrationProblems = Readonly<Partial<Record<RegistrationField, RegistrationProblem>>>;

export type ParsedRegistration =
  | { readonly registration: Registration; readonly problems?: undefined }
  | { readonly registration?: undefined; readonly problems: RegistrationProblems };

/** Validates a registration by the rules of the contract, so that pages and command accept what the API accepts. */
export function parseRegistration(input: RegistrationInput): ParsedRegistration {
  const result = registerAccount.input.safeParse(input);
  if (result.success) {
    const { first_name: firstName, last_name: lastName, ...others } = result.data;
    return { registration: { firstName, lastName, ...others } };
  }
  const problems: Partial<Record<RegistrationField, RegistrationProblem>> = {};
  for (const { path, message } of result.error.issues) {
    const field = registrationFields.find((name) => name === path[0]);
    if (field !== undefined) problems[field] ??= { kind: classify(field, input[field]), message };
  }
  return { problems };
}

/** Returns the contract's message about an invalid password, or `undefined`. */
export function findPasswordProblem(password: string): string | undefined {
  return passwordParameter().safeParse(password).error?.issues[0]?.message;
}

/** Derives the kind of problem from the rejected value: the contract's issues carry only a message. */
function classify(field: RegistrationField, value: string | undefined): RegistrationProblem['kind'] {
  if (field === 'password') return codePointLength(value ?? '') < minPasswordLength ? 'too-short' : 'too-long';
  if (value === undefined || value.trim() === '') return 'missing';
  return field === 'email' || field === 'username' ? 'malformed' : 'too-long';
}

/** The contract's minimum; a password that has it can only be too long. */
const minPasswordLength = 6;
