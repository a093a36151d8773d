import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { bitSchema, counterSchema, countResponse } from '../responses.ts';
import { defineRoute } from '../route.ts';

export const addFollow = defineRoute({
  id: 'follows-add',
  methods: ['POST'],
  path: '/follows/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ count: counterSchema, requested: bitSchema }),
  errors: ['not-found'],
  summary: 'Follows an account, or asks to when it is protected (requested: 1); the answer counts its followers',
  specification: 'Accounts and users',
});

export const deleteFollow = defineRoute({
  id: 'follows-delete',
  methods: ['POST'],
  path: '/follows/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Follows an account no longer, and asks no longer to; the answer counts its followers',
  specification: 'Accounts and users',
});

export const isFollowing = defineRoute({
  id: 'follows-is-following',
  methods: ['GET'],
  path: '/follows/is_following',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ following: bitSchema, requested: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Tells whether the account of the token follows another, or has asked to: 1 yes, 0 no',
  specification: 'Accounts and users',
});

export const listFollowRequests = defineRoute({
  id: 'follows-requests',
  methods: ['GET'],
  path: '/follows/requests',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(accountSchema),
  errors: [],
  summary: 'Lists who asks to follow the account of the token, the newest request first',
  specification: 'Accounts and users',
});

export const approveFollow = defineRoute({
  id: 'follows-approve',
  methods: ['POST'],
  path: '/follows/approve',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account that asked') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Lets an account that asked follow; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});

export const rejectFollow = defineRoute({
  id: 'follows-reject',
  methods: ['POST'],
  path: '/follows/reject',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account that asked') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Drops a request to follow; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});

export const removeFollower = defineRoute({
  id: 'follows-remove',
  methods: ['POST'],
  path: '/follows/remove',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the follower') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Removes a follower; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});
