import { deleteMedia as route } from '@linnet/contract/routes/media';

import { deleteMedia } from '@linnet/social/media/media-store';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /media/delete */
export function createDeleteMedia(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deleteMedia(db, id, caller.accountId);
    if (outcome === undefined) throw new ApiError('not-found', { detail: 'There is no such media record.' });
    if (outcome === 'not-owner') throw new ApiError('not-owner', { detail: 'The media is another person’s.' });
    return { status: 'succeeded', message: 'The media was deleted.' };
  });
}
