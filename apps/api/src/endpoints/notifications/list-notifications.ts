import { notificationKindsFor } from '@linnet/contract/notifications';
import { listNotifications } from '@linnet/contract/routes/notifications';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { findNotifications } from '@linnet/social/notification/notification-list-store';
import { toNotification } from '@linnet/social/notification/notification-view';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /notifications */
export function createListNotifications(context: ViewContext): Endpoint {
  return endpoint(listNotifications, async (paging, { accountId, scopes }, db) => {
    const found = await findNotifications(db, { accountId, kinds: notificationKindsFor(scopes) }, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toNotification(row, context));
  });
}
