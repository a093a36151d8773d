import { listMentions } from '@linnet/contract/routes/mentions';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { findMentions, maxListedMentions, toMention } from '@linnet/social/mention/mention-list-store';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /mentions */
export function createListMentions(context: ViewContext): Endpoint {
  return endpoint(listMentions, async (paging, { accountId }, db) => {
    const found = await findMentions(db, accountId, toPage(paging, maxListedMentions));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMention(row, context));
  });
}
