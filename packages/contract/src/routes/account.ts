import { z } from 'zod';

import { quotersSchema } from '../commenters.ts';
import { exportParts } from '../export-files.ts';
import { shownAccountSchema } from '../objects.ts';
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
import { bitSchema, created, createdAt, idOf, succeededResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

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
    '`status` is 0 if the username was changed, 1 if it is taken. The old username stays reserved for 30 days; an account can reserve at most ten. A new username ends the verification of the account. One with a word that an operator blocks is refused.',
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
    quoters: quotersSchema.optional(),
    avatar: idParameter('the image to use, an upload of the account').optional(),
  }),
  output: shownAccountSchema,
  errors: ['media-not-usable'],
  summary: 'Update the profile',
  description:
    'Parameters that you leave out stay unchanged. A new display name ends the verification of the account. One with a word that an operator blocks is refused.',
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

export const exportAccount = defineRoute({
  id: 'account-export',
  methods: ['POST'],
  path: '/account/export',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object({ cursor: cursorParameter().optional() }),
  output: exportParts,
  errors: [],
  summary: 'Export the account',
  description:
    'Returns the oldest records first, at most 500 of each kind. To get the next part, send `next` as `cursor`. Posts, reposts, comments, likes, bookmarks, notifications and media need the scope `posts:read`; without it they are left out, and `omitted` says so. Media that no post uses needs `posts`.',
  specification: 'Accounts and users',
});

const grantSchema = z
  .object({
    id: idOf('grant'),
    kind: z.enum(['consent', 'act_as_owner']).meta({
      description: '`consent`: a person authorized the application. `act_as_owner`: the application acts as its owner.',
    }),
    client_id: z
      .string()
      .meta({ description: 'Client id of the application.', examples: ['app_8Jr2tqkVZ0mXwL5yNcD3bQ'] }),
    scope: z.string().meta({
      description:
        'Granted scopes, separated by spaces. A scope of a registered API is shown with the identifier of that API and `#` before it.',
      examples: ['users posts', 'users https://notes.example.com/mcp#notes:read'],
    }),
    current: z.boolean().meta({ description: 'Whether the access token of this request belongs to the grant.' }),
    created,
    created_at: createdAt,
    ends: created
      .optional()
      .meta({ description: 'Expiry time in UTC, in English. Absent when the grant does not expire.' }),
    ends_at: createdAt.optional().meta({ description: 'Expiry time in UTC (RFC 3339).' }),
  })
  .meta({ id: 'Grant', description: 'The authorization that an account gave an application.' });

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
