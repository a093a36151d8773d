import type { Accounts } from '@linnet/accounts/accounts';
import { updateAccount } from '@linnet/contract/account-routes';
import type { Transactional } from '@linnet/db/database';

import { acceptAllRequests } from '../../domain/follow/follow-request-store.ts';
import { findShownAccount } from '../../domain/post/shown-account-store.ts';
import { toShownAccount } from '../../domain/post/shown-account-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError, accountGone } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** Whoever stops being protected takes everybody who asked: nobody could answer them any more. */
async function change(
  accounts: Accounts,
  db: Transactional,
  profile: Parameters<Accounts['updateProfile']>[0],
): Promise<boolean> {
  if (profile.isProtected !== false) return await accounts.updateProfile(profile, db);
  return await db.transaction(async (tx) => {
    await acceptAllRequests(tx, profile.accountId);
    return await accounts.updateProfile(profile, tx);
  });
}

/** POST /account/update: what is left out stays; the answer is that of GET /users/show. */
export function createUpdateAccount(accounts: Accounts, wire: Wire): Endpoint {
  return endpoint(updateAccount, async ({ protected: isProtected, avatar, ...profile }, caller, db) => {
    const accountId = actingAccount(caller);
    // Nobody owns a media record yet; another person's and an unknown one answer alike (Details 9).
    if (avatar !== undefined) throw new ApiError('media-not-usable');
    const isUpdated = await change(accounts, db, { accountId, isProtected, ...profile });
    const row = isUpdated ? await findShownAccount(db, { id: accountId, username: undefined }) : undefined;
    if (row === undefined) throw accountGone();
    return toShownAccount(row, { maySeeEmail: caller.scopes.has('email') }, wire);
  });
}
