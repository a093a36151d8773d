import { notificationKinds, notificationKindsFor } from '@linnet/contract/notifications';
import {
  addPush,
  countUnreadNotifications,
  deletePush,
  listNotifications,
  readNotifications,
  showNotificationPreferences,
  showPushKey,
  updateNotificationPreferences,
} from '@linnet/contract/routes/notifications';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { countUnread, findNotifications } from '@linnet/social/notification/notification-list-store';
import { findPreferences, markRead, updatePreferences } from '@linnet/social/notification/notification-setting-store';
import { toNotification, toPreferences } from '@linnet/social/notification/notification-view';
import type { ViewContext } from '@linnet/social/view-context';

import { accountGone, invalidParameters } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { isPushKey } from '../push/push-message.ts';
import type { PushSettings } from '../push/push-message.ts';
import { addSubscription, deleteSubscription } from '../push/push-store.ts';

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
    toPreferences(await findPreferences(db, accountId)),
  );
}

/** POST /notifications/preferences/update */
export function createUpdatePreferences(): Endpoint {
  return endpoint(updateNotificationPreferences, async (input, { accountId }, db) => {
    const wanted = notificationKinds.filter((kind) => input[kind] === true);
    const unwanted = notificationKinds.filter((kind) => input[kind] === false);
    const choice = await updatePreferences(db, accountId, { wanted, unwanted, proposalMail: input.proposal_mail });
    if (choice === undefined) throw accountGone();
    return toPreferences(choice);
  });
}

/** POST /notifications/read */
export function createReadNotifications(): Endpoint {
  return endpoint(readNotifications, async ({ id }, { accountId, scopes }, db) => {
    if (!(await markRead(db, accountId, id))) throw accountGone();
    return { count: await countUnread(db, { accountId, kinds: notificationKindsFor(scopes) }) };
  });
}

/** GET /notifications/push */
export function createShowPushKey({ keys: [{ publicKey }] }: PushSettings): Endpoint {
  return endpoint(showPushKey, async () => await Promise.resolve({ key: publicKey }));
}

/** POST /notifications/push/add */
export function createAddPush({ keys: [{ publicKey }], allow }: PushSettings): Endpoint {
  return endpoint(
    addPush,
    async ({ endpoint: address, types, ...keys }, { accountId, clientId, scopes, token }, db) => {
      const { protocol, host, port } = new URL(address);
      if ((protocol !== 'https:' || port !== '') && !allow.includes(host)) {
        throw invalidPush('endpoint', 'must be an https URL without a port');
      }
      const p256dh = Buffer.from(keys.p256dh, 'base64url');
      if (!isPushKey(p256dh)) throw invalidPush('p256dh', 'must be a point of the curve P-256');
      const readable = notificationKindsFor(scopes).filter((kind) => types.includes(kind));
      if (readable.length === 0) throw invalidPush('types', 'must have one that the token may read');
      const isAdded = await addSubscription(db, {
        ...{
          accountId,
          clientId,
          endpoint: address,
          p256dh,
          auth: Buffer.from(keys.auth, 'base64url'),
          serverKey: publicKey,
        },
        ...{ types: readable, grantId: token.gid, chainId: token.ch, epochs: [token.ce, token.ge, token.ae] },
      });
      if (!isAdded) throw accountGone();
      return { response: { subscribed: 1 } };
    },
  );
}

function invalidPush(parameter: string, detail: string) {
  return invalidParameters([{ parameter, code: 'invalid', detail }]);
}

/** POST /notifications/push/delete */
export function createDeletePush(): Endpoint {
  return endpoint(deletePush, async ({ endpoint: address }, { accountId }, db) => {
    await deleteSubscription(db, accountId, address);
    return { response: { subscribed: 0 } };
  });
}
