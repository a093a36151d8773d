import { z } from 'zod';

import { idListParameter, usernameListParameter } from '../list-parameters.ts';
import { lookupOf, missingAccountSchema } from '../lookup.ts';
import { bitSchema } from '../object-fields.ts';
import { accountSchema, postSchema, shownAccountSchema, suggestedAccountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { countParameter, idParameter, usernameParameter } from '../parameters.ts';
import { defineRoute } from '../route.ts';

export const showUser = defineRoute({
  id: 'users-show',
  methods: ['GET'],
  path: '/users/show',
  scope: 'users:read',
  isOpenToOwner: true,
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account').optional(), username: usernameParameter().optional() }),
  output: shownAccountSchema,
  hasVersion: true,
  errors: ['not-found'],
  summary: 'Get an account',
  description:
    'Returns the acting account if you send neither `id` nor `username`. For that, a token with one of the scopes `email`, `openid` and `profile` is enough; the latest post and `protected` are then left out.',
  specification: 'Accounts and users',
});

export const lookUpUsers = defineRoute({
  id: 'users-lookup',
  methods: ['GET'],
  path: '/users/lookup',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z
    .object({ id: idListParameter('the accounts').optional(), username: usernameListParameter().optional() })
    .refine(({ id, username }) => id !== undefined || username !== undefined, { path: ['id'] }),
  output: lookupOf(accountSchema, missingAccountSchema),
  errors: [],
  summary: 'Look up accounts',
  description:
    'Returns up to 100 accounts by `id` and up to 100 by `username`, in the order asked, those by `id` first. At least one of the two is required. An account that is asked for twice counts once, at its first position.',
  specification: 'Accounts and users',
});

export const isUser = defineRoute({
  id: 'users-is',
  methods: ['GET'],
  path: '/users/is',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ user: bitSchema }), exists: z.boolean() }),
  errors: [],
  summary: 'Check whether an account exists',
  description: '`user` is 0 if the account exists, 1 if it does not.',
  specification: 'Accounts and users',
});

export const listFavorites = defineRoute({
  id: 'users-favorites',
  methods: ['GET'],
  path: '/users/favorites',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account'), ...pagingParameters }),
  output: listOf(postSchema),
  errors: ['not-found'],
  summary: 'List liked posts of an account',
  description: 'Returns the posts that an account likes, most recent like first.',
  specification: 'Accounts and users',
});

export const listFollowers = defineRoute({
  id: 'users-followers',
  methods: ['GET'],
  path: '/users/followers',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account'), ...pagingParameters }),
  output: listOf(accountSchema),
  errors: ['not-found'],
  summary: 'List followers',
  description: 'Returns the followers of an account, most recent first.',
  specification: 'Accounts and users',
});

export const listFollowing = defineRoute({
  id: 'users-following',
  methods: ['GET'],
  path: '/users/following',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account'), ...pagingParameters }),
  output: listOf(accountSchema),
  errors: ['not-found'],
  summary: 'List followed accounts',
  description: 'Returns the accounts that an account follows, most recently followed first.',
  specification: 'Accounts and users',
});

export const listSuggested = defineRoute({
  id: 'users-suggested',
  methods: ['GET'],
  path: '/users/suggested',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object({ count: countParameter() }),
  output: z.object({
    total: z.int().min(0).meta({ description: 'Number of accounts in the response.' }),
    count: z.int().min(0).meta({ description: 'The same as `total`: this list has one page.' }),
    items: z.array(suggestedAccountSchema),
  }),
  errors: [],
  summary: 'List suggested accounts',
  description:
    'Returns up to 100 accounts that the acting account may want to follow. First those that most of the accounts it follows follow, then authors of the latest posts with the most followers. Accounts that it follows, has asked to follow, mutes, blocks or is blocked by are left out. Looks at the latest 100 follows of the acting account and the latest 50 of each.',
  specification: 'Accounts and users',
});
