import { deleteMedia as route } from '@linnet/contract/routes/media';

import { deleteMedia } from '@linnet/social/media/media-store';
import { notFound, notOwner } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /media/delete */
export function createDeleteMedia(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deleteMedia(db, id, caller.accountId);
    if (outcome === undefined) throw notFound('media record');
    if (outcome === 'not-owner') throw notOwner('media record');
    return { status: 'succeeded', message: 'The media was deleted.' };
  });
}
