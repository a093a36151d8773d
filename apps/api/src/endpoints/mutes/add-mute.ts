import { addMute as route } from '@linnet/contract/routes/mutes';

import { addMute } from '@linnet/social/mute/mute-store';
import { notFound, requireAnother } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /mutes/add */
export function createAddMute(): Endpoint {
  return endpoint(route, async ({ id, ends_at }, caller, db) => {
    requireAnother(id, caller.accountId, 'an account cannot mute itself');
    if (!(await addMute(db, { muterId: caller.accountId, mutedId: id, endsAt: ends_at }))) throw notFound('account');
    return { response: { muted: 1 } };
  });
}
