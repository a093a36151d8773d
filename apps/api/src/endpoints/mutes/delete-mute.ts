import { deleteMute as route } from '@linnet/contract/routes/mutes';

import { removeMute } from '@linnet/social/mute/mute-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /mutes/delete */
export function createDeleteMute(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    if (!(await removeMute(db, caller.accountId, id))) throw notFound('account');
    return { response: { muted: 0 } };
  });
}
