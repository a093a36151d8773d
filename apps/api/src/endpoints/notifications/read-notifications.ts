import { notificationKindsFor } from '@linnet/contract/notifications';
import { readNotifications } from '@linnet/contract/routes/notifications';
import { countUnread } from '@linnet/social/notification/notification-list-store';
import { markRead } from '@linnet/social/notification/notification-setting-store';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /notifications/read */
export function createReadNotifications(): Endpoint {
  return endpoint(readNotifications, async ({ id }, { accountId, scopes }, db) => {
    if (!(await markRead(db, accountId, id))) throw accountGone();
    return { count: await countUnread(db, { accountId, kinds: notificationKindsFor(scopes) }) };
  });
}
