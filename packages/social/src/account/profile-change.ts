import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable, Transactional } from '@linnet/db/database';

import { acceptAllRequests } from '../follow/follow-request-store.ts';

type ProfileChange = Parameters<Accounts['updateProfile']>[0];

/** The account is gone, or the media is not its own; nothing was changed. */
export class ProfileNotChanged extends Error {
  override readonly name = 'ProfileNotChanged';
}

/**
 * Changes a profile. Whoever stops being protected takes everybody who asked: nobody could answer them any more.
 * @throws ProfileNotChanged
 */
export async function changeProfile(
  accounts: Pick<Accounts, 'updateProfile'>,
  db: Transactional,
  profile: ProfileChange,
): Promise<void> {
  const update = async (on: Queryable) => {
    if (!(await accounts.updateProfile(profile, on))) throw new ProfileNotChanged();
  };
  if (profile.isProtected !== false) {
    await update(db);
    return;
  }
  await db.transaction(async (tx) => {
    await acceptAllRequests(tx, profile.accountId);
    await update(tx);
  });
}
