import { showMedia } from '@linnet/contract/routes/media';

import { findMedia } from '@linnet/social/media/media-store';
import { toMediaRecord } from '@linnet/social/media/media-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /media/show */
export function createShowMedia(context: ViewContext): Endpoint {
  return endpoint(showMedia, async ({ id }, caller, db) => {
    const row = await findMedia(db, id, caller.accountId ?? null);
    if (row === undefined) throw notFound('media record');
    const record = toMediaRecord(row, context);
    return { ...record, items: [record] };
  });
}
