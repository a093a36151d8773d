import { listMentions } from '@linnet/contract/routes/mentions';
import { toPage } from '@linnet/social/list/page';
import { toListResponse } from '@linnet/social/list/page-view';
import { findMentions, maxListedMentions } from '@linnet/social/mention/mention-list-store';
import { toMention } from '@linnet/social/mention/mention-view';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /mentions */
export function createListMentions(context: ViewContext): Endpoint {
  return endpoint(listMentions, async (paging, { accountId }, db) => {
    const found = await findMentions(db, accountId, toPage(paging, maxListedMentions));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMention(row, context));
  });
}
