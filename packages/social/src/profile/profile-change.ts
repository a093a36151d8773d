import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { acceptAllRequests } from '../follow/follow-request-store.ts';

type ProfileChange = Parameters<Accounts['updateProfile']>[0];

/** The account is deleted, or the photo does not belong to it. Nothing was changed. */
export class ProfileNotChanged extends Error {
  override readonly name = 'ProfileNotChanged';
}

/**
 * Changes a profile. When an account stops being protected, all its pending follow requests are accepted, because it
 * can no longer approve or reject them.
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
