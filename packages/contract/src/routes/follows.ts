import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { bitSchema, counterSchema, countResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const addFollow = defineRoute({
  id: 'follows-add',
  methods: ['POST'],
  path: '/follows/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ count: counterSchema, requested: bitSchema }),
  errors: ['not-found'],
  summary: 'Follow an account',
  description:
    'If the account is protected, this sends a follow request instead, and `requested` is 1. `count` is the number of followers of the account.',
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
  summary: 'Unfollow an account',
  description: 'Withdraws a pending follow request as well. `count` is the number of followers of the account.',
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
  summary: 'Check a follow',
  description:
    '`following` is 1 if the acting account follows the account, `requested` is 1 if it sent a follow request; otherwise they are 0.',
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
  summary: 'List follow requests',
  description: 'Returns the accounts that requested to follow the acting account, newest request first.',
  specification: 'Accounts and users',
});

export const approveFollow = defineRoute({
  id: 'follows-requests-approve',
  methods: ['POST'],
  path: '/follows/requests/approve',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account that sent the follow request') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Approve a follow request',
  description: '`count` is the number of followers of the acting account.',
  specification: 'Accounts and users',
});

export const rejectFollow = defineRoute({
  id: 'follows-requests-reject',
  methods: ['POST'],
  path: '/follows/requests/reject',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account that sent the follow request') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Reject a follow request',
  description: '`count` is the number of followers of the acting account.',
  specification: 'Accounts and users',
});

export const deleteFollower = defineRoute({
  id: 'followers-delete',
  methods: ['POST'],
  path: '/followers/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the follower') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Remove a follower',
  description: '`count` is the number of followers of the acting account.',
  specification: 'Accounts and users',
});
