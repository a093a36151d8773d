import { createPost } from '@linnet/contract/routes/post';
import type { Queryable } from '@linnet/db/database';

import { findOwnMedia } from '@linnet/social/media/media-store';
import { marksOfNewPost } from '@linnet/social/account/viewer-marks';
import { insertPost } from '@linnet/social/post/post-insert-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET and POST /post/create */
export function createCreatePost(context: ViewContext): Endpoint {
  return endpoint(createPost, async ({ message, media, ...settings }, caller, db) => {
    const { accountId: authorId } = caller;
    const entities = findEntities(message);
    const row = await insertPost(db, { authorId, text: message, entities, mediaId: media, ...settings });
    if (row === undefined) throw await toApiError(db, authorId, media);
    const items = toPost({ ...row, marks: marksOfNewPost }, context);
    return { status: 'succeeded', message: 'The post was created.', items };
  });
}

/** Unknown media and media of other accounts get the same response (decisions, Details 9). */
async function toApiError(db: Queryable, authorId: number, mediaId: number | undefined): Promise<ApiError> {
  if (mediaId === undefined) return accountGone();
  const own = await findOwnMedia(db, mediaId, authorId);
  return new ApiError(own?.attached === true ? 'media-attached' : 'media-not-usable');
}
