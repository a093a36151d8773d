import { updateMedia as route } from '@linnet/contract/routes/media';

import { updateMedia } from '@linnet/social/media/media-store';
import { toMediaRecord } from '@linnet/social/media/media-view';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

function othersMedia(): ApiError {
  const detail = 'The media record belongs to another account; only that account can describe it.';
  return new ApiError('not-owner', { detail });
}

/** POST /media/update */
export function createUpdateMedia(context: ViewContext): Endpoint {
  return endpoint(route, async ({ id, alt }, { accountId }, db) => {
    const row = await updateMedia(db, { id, accountId, alt });
    if (row === undefined) throw notFound('media record');
    if (row === 'not-owner') throw othersMedia();
    return toMediaRecord(row, context);
  });
}
