import { listMedia } from '@linnet/contract/media-routes';

import { findMediaOf, listedMedia } from '../../domain/media/media-store.ts';
import { toMediaRecord } from '../../domain/media/media-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageWindow } from '../../http/paging.ts';

/** GET /media */
export function createListMedia(wire: Wire): Endpoint {
  return endpoint(listMedia, async ({ user_id, count, page }, caller, db) => {
    const ownerId = user_id ?? caller.accountId;
    if (ownerId === undefined) {
      throw invalidParameters([
        { parameter: 'user_id', code: 'missing', detail: 'is required: the token has no account' },
      ]);
    }
    const viewer = caller.accountId ?? null;
    const found = await findMediaOf(db, { ownerId, viewer }, pageWindow({ count, page }, listedMedia));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    if (found === 'protected') throw new ApiError('protected-account');
    const items = found.media.map((row) => toMediaRecord(row, wire));
    return { total: found.total, count: items.length, items };
  });
}
