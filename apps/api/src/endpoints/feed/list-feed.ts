import { listFeed } from '@linnet/contract/routes';

import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import { findFeed } from '../../domain/post/feed-store.ts';
import { listedPosts } from '../../domain/post/listed-post-row.ts';
import { createListedPostView } from '../../domain/post/listed-post-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /feed */
export function createListFeed(wire: Wire): Endpoint {
  return endpoint(listFeed, async (paging, caller, db) => {
    const found = await findFeed(db, actingAccount(caller), toPage(paging, listedPosts));
    return toListAnswer(found, createListedPostView(wire));
  });
}
