import { showUser } from '@linnet/contract/routes/users';

import { findShownAccount, toShownAccount } from '@linnet/social/account/shown-account-store';
import type { ViewContext } from '@linnet/social/view-context';
import { invalidParameters, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/show */
export function createShowUser(context: ViewContext): Endpoint {
  return endpoint(showUser, async ({ id, username }, caller, db) => {
    const key = username === undefined ? (id ?? caller.accountId) : id;
    if (key === undefined && username === undefined) {
      throw invalidParameters([
        { parameter: 'id', code: 'missing', detail: 'is required when the access token acts for no account' },
      ]);
    }
    const row = await findShownAccount(db, { id: key, username, viewer: caller.accountId ?? null });
    if (row === undefined) throw notFound('account');
    const isOwn = caller.accountId === row['author.id'];
    return toShownAccount(row, { isOwn, maySeeEmail: isOwn && caller.scopes.has('email') }, context);
  });
}
