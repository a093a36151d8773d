import { z } from 'zod';

import { accountSchema, postSchema, shownAccountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter, usernameParameter } from '../parameters.ts';
import { bitSchema } from '../responses.ts';
import { defineRoute } from '../route.ts';

export const showUser = defineRoute({
  id: 'users-show',
  methods: ['GET'],
  path: '/users/show',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the account').optional(), username: usernameParameter().optional() }),
  output: shownAccountSchema,
  errors: ['not-found'],
  summary: 'Reads an account; without id and username, the account of the token',
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
  summary: 'Tells whether an account exists: 0 exists, 1 does not exist',
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
  summary: 'Lists the posts an account liked, the newest like first',
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
  summary: 'Lists who follows an account, the newest first',
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
  summary: 'Lists whom an account follows, the newest first',
  specification: 'Accounts and users',
});
