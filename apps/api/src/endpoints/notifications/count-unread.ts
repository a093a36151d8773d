import { notificationKindsFor } from '@linnet/contract/notifications';
import { countUnreadNotifications } from '@linnet/contract/routes/notifications';
import { countUnread } from '@linnet/social/notification/notification-list-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /notifications/unread */
export function createCountUnread(): Endpoint {
  return endpoint(countUnreadNotifications, async (_input, { accountId, scopes }, db) => ({
    count: await countUnread(db, { accountId, kinds: notificationKindsFor(scopes) }),
  }));
}
