import { listMedia } from '@linnet/contract/media-routes';

import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import { findMediaOf, listedMedia } from '../../domain/media/media-list-store.ts';
import { toMediaRecord } from '../../domain/media/media-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /media */
export function createListMedia(wire: Wire): Endpoint {
  return endpoint(listMedia, async ({ user_id, ...paging }, caller, db) => {
    const ownerId = user_id ?? caller.accountId;
    if (ownerId === undefined) {
      throw invalidParameters([
        { parameter: 'user_id', code: 'missing', detail: 'is required: the token has no account' },
      ]);
    }
    const asked = { ownerId, viewer: caller.accountId ?? null };
    const found = await findMediaOf(db, asked, toPage(paging, listedMedia));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    if (found === 'hidden') throw new ApiError('protected-account');
    return toListAnswer(found, (row) => toMediaRecord(row, wire));
  });
}
