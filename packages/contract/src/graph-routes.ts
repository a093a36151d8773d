/** Reposts, deletions, and what the owner of a protected account decides about followers. */
import { z } from 'zod';

import { idParameter, itemTypeParameter } from './parameters.ts';
import { defineRoute } from './route.ts';

const bit = z.union([z.literal(0), z.literal(1)]);
const counted = z.object({ count: z.int().min(0) });
const deleted = z.object({ status: z.literal('succeeded'), message: z.string() });
const item = z.object({ item_id: idParameter('the post'), type: itemTypeParameter() });
const byId = (record: string) => z.object({ id: idParameter(record) });

export const addRepost = defineRoute({
  id: 'reposts-add',
  methods: ['POST'],
  path: '/reposts/add',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: item,
  output: counted,
  errors: ['not-found'],
  summary: 'Reposts a post; reposting twice is reposting once',
  specification: 'Likes',
});

export const deleteRepost = defineRoute({
  id: 'reposts-delete',
  methods: ['POST'],
  path: '/reposts/delete',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: item,
  output: counted,
  errors: ['not-found'],
  summary: 'Takes a repost back',
  specification: 'Likes',
});

export const isReposted = defineRoute({
  id: 'reposts-is-reposted',
  methods: ['GET'],
  path: '/reposts/is_reposted',
  scope: 'posts:read',
  needsUser: true,
  writes: false,
  input: item,
  output: z.object({ response: z.object({ reposted: bit }) }),
  errors: ['not-found'],
  summary: 'Tells whether a post is reposted: 1 reposted, 0 not reposted',
  specification: 'Likes',
});

export const deletePost = defineRoute({
  id: 'post-delete',
  methods: ['POST'],
  path: '/post/delete',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: byId('the post'),
  output: deleted,
  errors: ['not-found', 'not-owner'],
  summary: 'Deletes a post of the account with its comments, likes and reposts',
  specification: 'Posts',
});

export const deleteComment = defineRoute({
  id: 'comment-delete',
  methods: ['POST'],
  path: '/comment/delete',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: byId('the comment'),
  output: deleted,
  errors: ['not-found', 'not-owner'],
  summary: 'Deletes a comment of the account',
  specification: 'Comments',
});

export const approveFollow = defineRoute({
  id: 'follows-approve',
  methods: ['POST'],
  path: '/follows/approve',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: byId('the account that asked'),
  output: counted,
  errors: ['not-found'],
  summary: 'Lets an account that asked follow; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});

export const rejectFollow = defineRoute({
  id: 'follows-reject',
  methods: ['POST'],
  path: '/follows/reject',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: byId('the account that asked'),
  output: counted,
  errors: ['not-found'],
  summary: 'Drops a request to follow; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});

export const removeFollower = defineRoute({
  id: 'follows-remove',
  methods: ['POST'],
  path: '/follows/remove',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: byId('the follower'),
  output: counted,
  errors: ['not-found'],
  summary: 'Removes a follower; the answer counts the followers of the account of the token',
  specification: 'Accounts and users',
});
