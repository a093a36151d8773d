import { lookUpUsers } from '@linnet/contract/routes/users';
import { findAccounts } from '@linnet/social/account/account-lookup-store';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/lookup */
export function createLookUpUsers(context: ViewContext): Endpoint {
  return endpoint(lookUpUsers, async ({ id = [], username = [] }, caller, db) => {
    const asked = { ids: id, usernames: username, viewer: caller.accountId ?? null };
    const { accounts, missingIds, missingUsernames } = await findAccounts(db, asked);
    const objectType = 'account' as const;
    return {
      count: accounts.length,
      items: accounts.map((row) => toMarkedAccount(row, context)),
      missing: [
        ...missingIds.map((one) => ({ objectType, id: one })),
        ...missingUsernames.map((one) => ({ objectType, username: one })),
      ],
    };
  });
}
