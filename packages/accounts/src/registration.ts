import { codePointLength } from '@linnet/contract/code-points';
import { passwordParameter } from '@linnet/contract/parameters';
import { registerAccount } from '@linnet/contract/routes/auth';

import type { Registration } from './account.ts';

/** The fields of a registration as the contract, forms and problems name them. */
const registrationFields = ['first_name', 'last_name', 'username', 'email', 'password'] as const;

type RegistrationField = (typeof registrationFields)[number];

/** What somebody typed; a username that was left out is generated. */
export type RegistrationInput = Readonly<Partial<Record<RegistrationField, string>>>;

export interface RegistrationProblem {
  readonly kind: 'missing' | 'too-short' | 'too-long' | 'malformed';
  /** The contract's words, to follow the field's name. */
  readonly message: string;
}

export type RegistrationProblems = Readonly<Partial<Record<RegistrationField, RegistrationProblem>>>;

export type ParsedRegistration =
  | { readonly registration: Registration; readonly problems?: undefined }
  | { readonly registration?: undefined; readonly problems: RegistrationProblems };

/** Checks a registration against the rules of the contract: pages and the command take what the API takes. */
export function parseRegistration(input: RegistrationInput): ParsedRegistration {
  const result = registerAccount.input.safeParse(input);
  if (result.success) {
    const { first_name: firstName, last_name: lastName, ...others } = result.data;
    return { registration: { firstName, lastName, ...others } };
  }
  const problems: Partial<Record<RegistrationField, RegistrationProblem>> = {};
  for (const { path, message } of result.error.issues) {
    const field = registrationFields.find((name) => name === path[0]);
    if (field !== undefined) problems[field] ??= { kind: findKind(field, input[field] ?? ''), message };
  }
  return { problems };
}

/** What is wrong with a password, in the contract's words; `undefined`: nothing. */
export function findPasswordProblem(password: string): string | undefined {
  return passwordParameter().safeParse(password).error?.issues[0]?.message;
}

/** The contract tells what is wrong in words alone; a field's value and its one or two rules tell the rest. */
function findKind(field: RegistrationField, value: string): RegistrationProblem['kind'] {
  if (value.trim() === '' && field !== 'password') return 'missing';
  if (field === 'email' || field === 'username') return 'malformed';
  if (field !== 'password') return 'too-long';
  return codePointLength(value) < minPasswordLength ? 'too-short' : 'too-long';
}

/** Of the contract; longer passwords are refused for being too long only. */
const minPasswordLength = 6;
