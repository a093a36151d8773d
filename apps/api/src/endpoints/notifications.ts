import { notificationKinds, notificationKindsFor } from '@linnet/contract/notifications';
import {
  countUnreadNotifications,
  listNotifications,
  readNotifications,
  showNotificationPreferences,
  updateNotificationPreferences,
} from '@linnet/contract/routes/notifications';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { countUnread, findNotifications } from '@linnet/social/notification/notification-list-store';
import { findUnwanted, markRead, updatePreferences } from '@linnet/social/notification/notification-setting-store';
import { toNotification, toPreferences } from '@linnet/social/notification/notification-view';
import type { ViewContext } from '@linnet/social/view-context';

import { accountGone } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /notifications/unread */
export function createCountUnread(): Endpoint {
  return endpoint(countUnreadNotifications, async (_input, { accountId, scopes }, db) => ({
    count: await countUnread(db, { accountId, kinds: notificationKindsFor(scopes) }),
  }));
}

/** GET /notifications */
export function createListNotifications(context: ViewContext): Endpoint {
  return endpoint(listNotifications, async ({ types, ...paging }, { accountId, scopes }, db) => {
    const kinds = notificationKindsFor(scopes).filter((kind) => types.includes(kind));
    const found = await findNotifications(db, { accountId, kinds }, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toNotification(row, context));
  });
}

/** GET /notifications/preferences */
export function createShowPreferences(): Endpoint {
  return endpoint(showNotificationPreferences, async (_input, { accountId }, db) =>
    toPreferences(await findUnwanted(db, accountId)),
  );
}

/** POST /notifications/preferences/update */
export function createUpdatePreferences(): Endpoint {
  return endpoint(updateNotificationPreferences, async (input, { accountId }, db) => {
    const wanted = notificationKinds.filter((kind) => input[kind] === true);
    const unwanted = notificationKinds.filter((kind) => input[kind] === false);
    const off = await updatePreferences(db, accountId, { wanted, unwanted });
    if (off === undefined) throw accountGone();
    return toPreferences(off);
  });
}

/** POST /notifications/read */
export function createReadNotifications(): Endpoint {
  return endpoint(readNotifications, async ({ id }, { accountId, scopes }, db) => {
    if (!(await markRead(db, accountId, id))) throw accountGone();
    return { count: await countUnread(db, { accountId, kinds: notificationKindsFor(scopes) }) };
  });
}
