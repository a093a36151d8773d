import type { Account } from '@linnet/contract/objects';
import { listFollowers, listFollowing } from '@linnet/contract/social-routes';
import type { Queryable } from '@linnet/db/database';

import { toAccount } from '../../domain/account/account-view.ts';
import { findFollows } from '../../domain/follow/follow-store.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageRows } from '../../http/paging.ts';

/** GET /users/followers */
export function createListFollowers(wire: Wire): Endpoint {
  return endpoint(
    listFollowers,
    async (input, _caller, db) => await list(db, wire, { ...input, direction: 'followers' }),
  );
}

/** GET /users/following */
export function createListFollowing(wire: Wire): Endpoint {
  return endpoint(
    listFollowing,
    async (input, _caller, db) => await list(db, wire, { ...input, direction: 'following' }),
  );
}

interface Asked {
  readonly id: number;
  readonly count: number;
  readonly page: number;
  readonly direction: 'followers' | 'following';
}

async function list(db: Queryable, wire: Wire, { id, count, page, direction }: Asked) {
  const found = await findFollows(db, { direction, accountId: id }, pageRows({ count, page }));
  if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
  const items: Account[] = found.accounts.map((row) => toAccount(row, wire));
  return { total: found.total, count: items.length, items };
}
