import { addMute as addMuteRoute, deleteMute as deleteMuteRoute, listMutes } from '@linnet/contract/routes/mutes';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { addMute, findMutes, removeMute, toMutedAccount } from '@linnet/social/mute/mute-store';
import type { ViewContext } from '@linnet/social/view-context';

import { accountGone, notFound, requireAnother } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /mutes/add */
export function createAddMute(): Endpoint {
  return endpoint(addMuteRoute, async ({ id, ends_at }, caller, db) => {
    requireAnother(id, caller.accountId, 'an account cannot mute itself');
    if (!(await addMute(db, { muterId: caller.accountId, mutedId: id, endsAt: ends_at }))) throw notFound('account');
    return { response: { muted: 1 } };
  });
}

/** GET /mutes */
export function createListMutes(context: ViewContext): Endpoint {
  return endpoint(listMutes, async (paging, caller, db) => {
    const found = await findMutes(db, caller.accountId, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMutedAccount(row, context));
  });
}

/** POST /mutes/delete */
export function createDeleteMute(): Endpoint {
  return endpoint(deleteMuteRoute, async ({ id }, caller, db) => {
    if (!(await removeMute(db, caller.accountId, id))) throw notFound('account');
    return { response: { muted: 0 } };
  });
}
