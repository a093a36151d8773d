import { updatePostSettings as route } from '@linnet/contract/routes/post';

import { updatePostSettings } from '@linnet/social/post/post-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound, notOwner } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /post/settings/update. Absent parameters stay unchanged. */
export function createUpdatePostSettings(context: ViewContext): Endpoint {
  return endpoint(route, async ({ id, commenters, sensitive }, { accountId }, db) => {
    const row = await updatePostSettings(db, { id, accountId }, { commenters, sensitive });
    if (row === undefined) throw notFound('post');
    if (row === 'not-owner') throw notOwner('post', 'its author', 'change');
    return { status: 'succeeded', message: 'The settings were changed.', items: toPost(row, context) };
  });
}
