import { listPosts } from '@linnet/contract/routes';

import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import { listedPosts } from '../../domain/post/listed-post-row.ts';
import { createListedPostView } from '../../domain/post/listed-post-view.ts';
import { findPosts } from '../../domain/post/post-list-store.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /post */
export function createListPosts(wire: Wire): Endpoint {
  return endpoint(listPosts, async ({ user_id, ...paging }, caller, db) => {
    const asked = { accountId: user_id, viewer: caller.accountId ?? null };
    const found = await findPosts(db, asked, toPage(paging, listedPosts));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    if (found === 'hidden') throw new ApiError('protected-account');
    const { subject, ...paged } = found;
    return toListAnswer(paged, createListedPostView(wire, subject));
  });
}
