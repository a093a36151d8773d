import { notificationKinds } from '@linnet/contract/notifications';
import { showNotificationPreferences, updateNotificationPreferences } from '@linnet/contract/routes/notifications';
import { findUnwanted, updatePreferences } from '@linnet/social/notification/notification-setting-store';
import { toPreferences } from '@linnet/social/notification/notification-view';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

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
