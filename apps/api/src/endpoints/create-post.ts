import type { Queryable } from '@linnet/db/statement/transaction';
import { createPost } from '@linnet/contract/routes/post';
import { marksOfNewPost } from '@linnet/social/account/viewer-marks';
import { insertPost, isQuotable } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, accountGone, notFound } from '../http/api-error.ts';
import { findMediaError, toMediaIds } from '../http/attached-media.ts';
import { endpoint } from '../http/endpoint.ts';
import type { PlainEndpoint } from '../http/endpoint.ts';

/** GET and POST /post/create */
export function createCreatePost(context: ViewContext): PlainEndpoint {
  return endpoint(createPost, async ({ message, media, attachments, quote_id: quoteId, ...settings }, caller, db) => {
    const { accountId: authorId } = caller;
    const entities = findEntities(message);
    const mediaIds = toMediaIds({ media, attachments });
    const post = { authorId, text: message, entities, mediaIds, quoteId, ...settings };
    const row = await insertPost(db, post);
    if (row === undefined) {
      throw (
        (await findQuoteError(db, authorId, quoteId)) ?? (await findMediaError(db, authorId, mediaIds)) ?? accountGone()
      );
    }
    const items = toPost({ ...row, marks: marksOfNewPost }, context);
    return { status: 'succeeded', message: 'The post was created.', items };
  });
}

/** Why the post cannot be quoted; `undefined` if it can. */
async function findQuoteError(db: Queryable, authorId: number, quoteId?: number): Promise<ApiError | undefined> {
  if (quoteId === undefined) return undefined;
  const quotable = await isQuotable(db, authorId, quoteId);
  if (quotable === undefined) return notFound('post');
  return quotable ? undefined : new ApiError('quotes-restricted');
}
