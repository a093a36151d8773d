import { z } from 'zod';

import {
  notificationSchema,
  notificationTypesParameter,
  preferenceParameters,
  preferencesSchema,
  pushKeySchema,
  pushParameters,
} from '../notifications.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { bitSchema, countResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const listNotifications = defineRoute({
  id: 'notifications',
  methods: ['GET'],
  path: '/notifications',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object({ types: notificationTypesParameter, ...pagingParameters }),
  output: listOf(notificationSchema),
  errors: [],
  summary: 'List notifications',
  description:
    'Returns what others did that concerns the acting account, newest first. Likes, reposts and replies are one item for each post, and new followers, follow requests, approvals and proposals one item each. Follows need the scope `users:read` as well, proposals `posts`, and are left out without it.',
  specification: 'Accounts and users',
});

export const countUnreadNotifications = defineRoute({
  id: 'notifications-unread',
  methods: ['GET'],
  path: '/notifications/unread',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object({}),
  output: countResponse,
  errors: [],
  summary: 'Count unread notifications',
  description: 'Returns the number of items in the list of notifications that have something unread.',
  specification: 'Accounts and users',
});

export const readNotifications = defineRoute({
  id: 'notifications-read',
  methods: ['POST'],
  path: '/notifications/read',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the latest notification that was read') }),
  output: countResponse,
  errors: [],
  summary: 'Mark notifications as read',
  description:
    'Marks the notification and all earlier ones as read. They cannot become unread again. Returns the number of items that still have something unread.',
  specification: 'Accounts and users',
});

export const showNotificationPreferences = defineRoute({
  id: 'notifications-preferences',
  methods: ['GET'],
  path: '/notifications/preferences',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object({}),
  output: preferencesSchema,
  errors: [],
  summary: 'Get notification preferences',
  description:
    'Returns 1 for each type that the acting account wants. It wants all until it switches one off, and no mail until it switches it on.',
  specification: 'Accounts and users',
});

export const updateNotificationPreferences = defineRoute({
  id: 'notifications-preferences-update',
  methods: ['POST'],
  path: '/notifications/preferences/update',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(preferenceParameters),
  output: preferencesSchema,
  errors: [],
  summary: 'Update notification preferences',
  description:
    'Switches types of notifications on or off. Parameters that you leave out stay unchanged. A type that is switched off disappears from the list and from the count; once it is on again, they are back.',
  specification: 'Accounts and users',
});

export const showPushKey = defineRoute({
  id: 'notifications-push',
  methods: ['GET'],
  path: '/notifications/push',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object({}),
  output: pushKeySchema,
  errors: [],
  summary: 'Get the key for push messages',
  description: 'A browser needs it to subscribe. Subscribe again when it is another one.',
  specification: 'Accounts and users',
});

const pushResponse = z.object({ response: z.object({ subscribed: bitSchema }) });

export const addPush = defineRoute({
  id: 'notifications-push-add',
  methods: ['POST'],
  path: '/notifications/push/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ ...pushParameters, types: notificationTypesParameter }),
  output: pushResponse,
  errors: [],
  summary: 'Send notifications to a browser',
  description:
    'From now on, the service sends notifications of the acting account to a push subscription (Web Push, RFC 8030), encrypted for it (RFC 8291): of these types, as far as the token may read them and the account wants them. Each is sent once. It ends with the access of the token, after 90 days without another call, or when the browser ends it. An account can have 20; a further one replaces the oldest. The guide Notifications (`/developers/notifications`) says what a message contains.',
  specification: 'Accounts and users',
});

export const deletePush = defineRoute({
  id: 'notifications-push-delete',
  methods: ['POST'],
  path: '/notifications/push/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ endpoint: pushParameters.endpoint }),
  output: pushResponse,
  errors: [],
  summary: 'Delete a push subscription',
  description: 'Nothing more is sent there. Deleting one that does not exist has no effect.',
  specification: 'Accounts and users',
});
