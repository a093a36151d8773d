import { createPost } from '@linnet/contract/routes/post';
import { marksOfNewPost } from '@linnet/social/account/viewer-marks';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../http/api-error.ts';
import { findMediaError, toMediaIds } from '../http/attached-media.ts';
import { endpoint } from '../http/endpoint.ts';
import type { PlainEndpoint } from '../http/endpoint.ts';

/** GET and POST /post/create */
export function createCreatePost(context: ViewContext): PlainEndpoint {
  return endpoint(createPost, async ({ message, media, attachments, ...settings }, caller, db) => {
    const { accountId: authorId } = caller;
    const entities = findEntities(message);
    const mediaIds = toMediaIds({ media, attachments });
    const post = { authorId, text: message, entities, mediaIds, ...settings };
    const row = await insertPost(db, post);
    if (row === undefined) throw (await findMediaError(db, authorId, mediaIds)) ?? accountGone();
    const items = toPost({ ...row, marks: marksOfNewPost }, context);
    return { status: 'succeeded', message: 'The post was created.', items };
  });
}
