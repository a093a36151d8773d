import { z } from 'zod';

import { accountSchema, commentSchema, grantSchema, mediaSchema, postSchema, shownAccountSchema } from '../objects.ts';
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
import { bitSchema, succeededResponse } from '../responses.ts';
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
  summary: 'Tells whether a username is taken: 1 taken, 0 free',
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
  summary:
    'Changes the username: 0 changed, 1 taken and unchanged; the old one stays reserved for 30 days, ten of them at most',
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
    avatar: idParameter("the account's own upload").optional(),
  }),
  output: shownAccountSchema,
  errors: ['media-not-usable'],
  summary: 'Changes the profile; what is left out stays as it is',
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
  summary: 'Deletes the account; an operator can restore it for 14 days',
  specification: 'Accounts and users',
});

const since = { created: z.string(), created_at: z.iso.datetime() };

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
    posts: z.array(postSchema),
    reposts: z.array(z.object({ item_id: z.int(), ...since })),
    comments: z.array(commentSchema.omit({ user: true }).extend({ item_id: z.int() })),
    likes: z.array(z.object({ item_id: z.int() })),
    follows: z.object({ following: z.array(accountSchema), followers: z.array(accountSchema) }),
    media: z.array(
      mediaSchema.omit({ user: true }).extend({
        media: postSchema.shape.media.meta({ description: 'The picture, and its file in full size.' }),
        ...since,
      }),
    ),
    /** There is more: send it as `cursor`. */
    next: z.string().optional(),
  }),
  errors: [],
  summary:
    'Exports the account, oldest records first: at most 500 of each kind in one answer; `next` is the `cursor` of the next answer',
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
  summary: 'Lists what the account of the token allows this application, the newest grant first',
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
  summary: 'Gives scopes back: the grant keeps those named; its access tokens end within a second',
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
  summary: 'Ends a grant; its tokens end within a second',
  specification: 'Accounts and users',
});
