import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import type { PasswordOwner } from '@linnet/accounts/password/password-weakness';
import { parseRegistration } from '@linnet/accounts/registration';

import type { Messages } from '../../pages/i18n/en/en.ts';
import type { FieldErrors } from '../../pages/frame/frame.ts';

export type PasswordField = 'current_password' | 'new_password';

export interface PasswordInput {
  readonly current: string;
  readonly next: string;
}

/** Errors that can be found without the account's password. The new password follows the rules of registration. */
export function findPasswordErrors(
  { current, next }: PasswordInput,
  owner: PasswordOwner,
  { account, signIn }: Messages,
): FieldErrors<PasswordField> {
  const error = findNewPasswordError(next, owner, signIn.passwordErrors);
  return {
    ...(current === '' ? { current_password: account.password.currentMissing } : {}),
    ...(error === undefined ? {} : { new_password: error }),
  };
}

export function findNewPasswordError(
  next: string,
  owner: PasswordOwner,
  texts: Messages['signIn']['passwordErrors'],
): string | undefined {
  const problem = parseRegistration({ password: next }).problems?.password;
  if (problem !== undefined) return problem.kind === 'too-short' ? texts.tooShort : texts.tooLong;
  const weakness = findPasswordWeakness(next, owner);
  if (weakness === undefined) return undefined;
  return weakness === 'common' ? texts.common : texts.sameAsName;
}
