import { listMedia } from '@linnet/contract/routes/media';

import { toListResponse, toPage } from '@linnet/social/list/page';
import { findMediaOf, maxListedMedia } from '@linnet/social/media/media-list-store';
import { toMediaRecord } from '@linnet/social/media/media-view';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, invalidParameters, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /media */
export function createListMedia(context: ViewContext): Endpoint {
  return endpoint(listMedia, async ({ user_id, ...paging }, caller, db) => {
    const ownerId = user_id ?? caller.accountId;
    if (ownerId === undefined) {
      throw invalidParameters([
        { parameter: 'user_id', code: 'missing', detail: 'is required when the access token acts for no account' },
      ]);
    }
    const filter = { ownerId, viewer: caller.accountId ?? null };
    const found = await findMediaOf(db, filter, toPage(paging, maxListedMedia));
    if (found === undefined) throw notFound('account');
    if (found === 'hidden') throw new ApiError('protected-account');
    return toListResponse(found, (row) => toMediaRecord(row, context));
  });
}
