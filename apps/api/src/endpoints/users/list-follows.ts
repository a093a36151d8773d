import { listFollowers, listFollowing } from '@linnet/contract/social-routes';
import type { Queryable } from '@linnet/db/database';

import { toAccount } from '../../domain/account/account-view.ts';
import { findFollows } from '../../domain/follow/follow-list-store.ts';
import type { FollowListName } from '../../domain/follow/follow-list-store.ts';
import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import type { PageInput } from '../../domain/list/page.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/followers */
export function createListFollowers(wire: Wire): Endpoint {
  return endpoint(listFollowers, async (input, _caller, db) => await answer(db, wire, { ...input, list: 'followers' }));
}

/** GET /users/following */
export function createListFollowing(wire: Wire): Endpoint {
  return endpoint(listFollowing, async (input, _caller, db) => await answer(db, wire, { ...input, list: 'following' }));
}

interface Asked extends PageInput {
  readonly id: number;
  readonly list: FollowListName;
}

async function answer(db: Queryable, wire: Wire, { id, list, ...paging }: Asked) {
  const found = await findFollows(db, { list, accountId: id }, toPage(paging));
  if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
  return toListAnswer(found, (row) => toAccount(row, wire));
}
