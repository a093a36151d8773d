import { z } from 'zod';

import { accountSchema, commentSchema, grantSchema, mediaSchema, postSchema, shownAccountSchema } from '../objects.ts';
import { exportedNotificationSchema, preferencesSchema } from '../notifications.ts';
import { listOf, pagingParameters } from '../paging.ts';
import {
  cursorParameter,
  flagParameter,
  idParameter,
  keptScopesParameter,
  passwordParameter,
  usernameParameter,
} from '../parameters.ts';
import { profileSchema } from '../profile.ts';
import { reportSchema } from '../report.ts';
import { bitSchema, succeededResponse } from '../responses.ts';
import { defineRoute } from '../route.ts';
import { wordFilterSchema } from '../word-filter.ts';

const usernameResponse = { status: bitSchema, username: z.string() };

export const checkUsername = defineRoute({
  id: 'account-check-username',
  methods: ['GET'],
  path: '/account/check_username',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  sharedLimit: 'check-username',
  input: z.object({ username: usernameParameter() }),
  output: z.object({ response: z.object({ status: bitSchema }) }),
  errors: [],
  summary: 'Check a username',
  description:
    '`status` is 1 if the username is taken, reserved, or looks like that of a verified account; 0 if it is available.',
  specification: 'Accounts and users',
});

export const updateUsername = defineRoute({
  id: 'account-update-username',
  methods: ['POST'],
  path: '/account/update_username',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ username: usernameParameter() }),
  output: z.object({ response: z.object(usernameResponse), ...usernameResponse }),
  errors: ['rate-limited'],
  summary: 'Change the username',
  description:
    '`status` is 0 if the username was changed, 1 if it is taken. The old username stays reserved for 30 days; an account can reserve at most ten. A new username ends the verification of the account.',
  specification: 'Accounts and users',
});

export const updateAccount = defineRoute({
  id: 'account-update',
  methods: ['POST'],
  path: '/account/update',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: profileSchema.partial().extend({
    protected: flagParameter().optional(),
    avatar: idParameter('the image to use, an upload of the account').optional(),
  }),
  output: shownAccountSchema,
  errors: ['media-not-usable'],
  summary: 'Update the profile',
  description: 'Parameters that you leave out stay unchanged. A new display name ends the verification of the account.',
  specification: 'Accounts and users',
});

export const deleteAccount = defineRoute({
  id: 'account-delete',
  methods: ['POST'],
  path: '/account/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ password: passwordParameter() }),
  output: succeededResponse,
  errors: ['wrong-password', 'rate-limited'],
  summary: 'Delete the account',
  description: 'An operator can restore the account for 14 days.',
  specification: 'Accounts and users',
});

const creationTimes = { created: z.string(), created_at: z.iso.datetime() };

export const exportAccount = defineRoute({
  id: 'account-export',
  methods: ['POST'],
  path: '/account/export',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object({ cursor: cursorParameter().optional() }),
  output: z.object({
    profile: shownAccountSchema.omit({ post: true }),
    posts: z.array(postSchema.omit({ user: true })),
    history: z
      .array(z.object({ item_id: z.int(), text: z.string(), ...creationTimes }))
      .meta({ description: 'The texts of posts that edits replaced.' }),
    reposts: z.array(z.object({ item_id: z.int(), ...creationTimes })),
    comments: z.array(
      commentSchema.omit({
        user: true,
        hashtags: true,
        urls: true,
        mentions: true,
        user_definition: true,
        viewer: true,
      }),
    ),
    likes: z.array(z.object({ item_id: z.int() })),
    bookmarks: z.array(z.object({ item_id: z.int() })),
    follows: z.object({ following: z.array(accountSchema), followers: z.array(accountSchema) }),
    blocks: z.array(z.object({ user: accountSchema, ...creationTimes })),
    mutes: z.array(
      z.object({
        user: accountSchema,
        ...creationTimes,
        ends: z.string().optional(),
        ends_at: z.iso.datetime().optional(),
      }),
    ),
    word_filters: z.array(wordFilterSchema.omit({ id: true })),
    notification_preferences: preferencesSchema,
    notifications: z.array(exportedNotificationSchema),
    reports: z.array(
      reportSchema.pick({ item_id: true, type: true, reason: true, text: true }).extend({
        status: z.enum(['open', 'closed']).meta({ description: '`closed`: an operator has looked at it.' }),
        ...creationTimes,
      }),
    ),
    media: z.array(
      mediaSchema.omit({ user: true }).extend({
        media: postSchema.shape.media.meta({ description: 'The image to display and the full-size file.' }),
        ...creationTimes,
      }),
    ),
    /** What is empty because the token lacks `scope`; absent if nothing was left out. */
    omitted: z
      .object({
        members: z.array(
          z.enum(['posts', 'reposts', 'comments', 'likes', 'bookmarks', 'media', 'notifications', 'history']),
        ),
        scope: z.literal('posts:read'),
      })
      .optional()
      .meta({ description: 'The members that are empty because the token lacks `scope`.' }),
    /** The `cursor` of the next part; absent in the last part. */
    next: z.string().optional(),
  }),
  errors: [],
  summary: 'Export the account',
  description:
    'Returns the oldest records first, at most 500 of each kind. To get the next part, send `next` as `cursor`. Posts, reposts, comments, likes, bookmarks, notifications and media need the scope `posts:read`; without it they are left out, and `omitted` says so.',
  specification: 'Accounts and users',
});

export const listGrants = defineRoute({
  id: 'account-grants',
  methods: ['GET'],
  path: '/account/grants',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(grantSchema),
  errors: [],
  summary: 'List grants',
  description: 'Returns what the acting account granted to this application, newest grant first.',
  specification: 'Accounts and users',
});

export const narrowGrant = defineRoute({
  id: 'account-grants-narrow',
  methods: ['POST'],
  path: '/account/grants/narrow',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the grant'), scope: keptScopesParameter() }),
  output: grantSchema,
  errors: ['not-found'],
  summary: 'Narrow a grant',
  description:
    'The grant keeps the scopes in `scope`, and loses all others, those of registered APIs too. Its current access tokens are revoked within a second.',
  specification: 'Accounts and users',
});

export const revokeGrant = defineRoute({
  id: 'account-grants-revoke',
  methods: ['POST'],
  path: '/account/grants/revoke',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the grant') }),
  output: succeededResponse,
  errors: ['not-found'],
  summary: 'Revoke a grant',
  description: 'All tokens of the grant are revoked within a second.',
  specification: 'Accounts and users',
});
