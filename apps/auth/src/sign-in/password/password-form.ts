import type { Accounts } from '@linnet/accounts/accounts';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import type { PasswordOwner } from '@linnet/accounts/password/password-weakness';
import { parseRegistration } from '@linnet/accounts/registration';

import type { FieldErrors } from '../../pages/frame/frame.ts';
import type { Messages } from '../../pages/i18n/en/en.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Visit } from '../visit/area.ts';

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

export interface PasswordCheckOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials' | 'hasPassword'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn'>;
}

/** Checks the password of a person who is signed in. Attempts count against the limits of the sign-in page (checklist UI11). */
export async function checkPassword(
  { accounts, throttle }: PasswordCheckOptions,
  { ctx, viewer, session }: Visit,
  password: string,
): Promise<'right' | 'missing' | 'wrong' | 'none' | 'throttled'> {
  if (password === '') return 'missing';
  const waitSeconds = await throttle.countSignIn(ctx, viewer.username);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    return 'throttled';
  }
  const account = await accounts.checkCredentials(viewer.username, password);
  if (account?.id !== session.accountId) return (await accounts.hasPassword(session.accountId)) ? 'wrong' : 'none';
  await throttle.signedIn(ctx);
  return 'right';
}
