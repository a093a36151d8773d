import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { updateAccount } from '@linnet/contract/routes/account';
import type { Transactional } from '@linnet/db/database';

import { ProfileNotChanged, changeProfile } from '@linnet/social/profile/profile-change';
import { findShownAccount, toShownAccount } from '@linnet/social/account/shown-account-store';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, accountGone, nameNotAllowed } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

async function change(
  accounts: Accounts,
  db: Transactional,
  profile: Parameters<typeof changeProfile>[2],
): Promise<void> {
  try {
    await changeProfile(accounts, db, profile);
  } catch (error) {
    if (error instanceof NameRefused) throw nameNotAllowed(error, ['displayName']);
    if (!(error instanceof ProfileNotChanged)) throw error;
    // Unknown media and media of other accounts get the same response (decisions, Details 9).
    throw profile.avatarMediaId === undefined ? accountGone() : new ApiError('media-not-usable');
  }
}

/** POST /account/update. Absent parameters stay unchanged; the response is that of GET /users/show. */
export function createUpdateAccount(accounts: Accounts, context: ViewContext): Endpoint {
  return endpoint(updateAccount, async ({ protected: isProtected, avatar, ...profile }, caller, db) => {
    const { accountId, scopes } = caller;
    await change(accounts, db, { accountId, isProtected, avatarMediaId: avatar, ...profile });
    const row = await findShownAccount(db, { id: accountId, username: undefined, viewer: accountId });
    if (row === undefined) throw accountGone();
    return toShownAccount(row, { isOwn: true, maySeeEmail: scopes.has('email') }, context);
  });
}
