import { editPost as route } from '@linnet/contract/routes/post';
import { editPost } from '@linnet/social/post/post-edit-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /post/edit */
export function createEditPost(context: ViewContext): Endpoint {
  return endpoint(route, async ({ id, message }, { accountId }, db) => {
    const edited = await editPost(db, { id, accountId, text: message, entities: findEntities(message) });
    if (edited === undefined) throw notFound('post');
    if (edited === 'not-owner') {
      throw new ApiError('not-owner', {
        detail: 'The post belongs to another account; only that account can edit it.',
      });
    }
    if (edited === 'too-many-edits') throw new ApiError('too-many-edits');
    return { status: 'succeeded', message: 'The post was edited.', items: toPost(edited, context) };
  });
}
