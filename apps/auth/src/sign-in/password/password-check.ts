import type { Accounts } from '@linnet/accounts/accounts';

import type { Visit } from '../visit/area.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';

export interface PasswordCheckOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn'>;
}

/** Checks the password of a person who is signed in. Attempts count against the limits of the sign-in page (checklist UI11). */
export async function checkPassword(
  { accounts, throttle }: PasswordCheckOptions,
  { ctx, viewer, session }: Visit,
  password: string,
): Promise<'right' | 'missing' | 'wrong' | 'throttled'> {
  if (password === '') return 'missing';
  const waitSeconds = await throttle.countSignIn(ctx, viewer.username);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    return 'throttled';
  }
  const account = await accounts.checkCredentials(viewer.username, password);
  if (account?.id !== session.accountId) return 'wrong';
  await throttle.signedIn(ctx);
  return 'right';
}
