/** Comments, likes and follows. */
import { z } from 'zod';

import { accountSchema, commentSchema, postSchema } from './objects.ts';
import { listOf, pagingParameters } from './paging.ts';
import { idParameter, itemTypeParameter, textParameter } from './parameters.ts';
import { defineRoute } from './route.ts';

const bit = z.union([z.literal(0), z.literal(1)]);
const counter = z.int().min(0);
const item = { item_id: idParameter('the post'), type: itemTypeParameter() };

export const createComment = defineRoute({
  id: 'comment-create',
  methods: ['POST', 'GET'],
  path: '/comment/create',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: z.object({ ...item, text: textParameter(1000).meta({ examples: ['Well said'] }) }),
  output: commentSchema.extend({ status: z.literal(0) }),
  errors: ['not-found'],
  summary: 'Adds a comment to a post',
  specification: 'Comments',
});

export const listComments = defineRoute({
  id: 'comment-list',
  methods: ['GET'],
  path: '/comment',
  scope: 'posts:read',
  needsUser: false,
  writes: false,
  input: z.object({ ...item, ...pagingParameters }),
  output: listOf(commentSchema),
  errors: ['not-found'],
  summary: 'Lists the latest comments of a post',
  specification: 'Comments',
});

export const addLike = defineRoute({
  id: 'likes-add',
  methods: ['POST'],
  path: '/likes/add',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: z.object(item),
  output: z.object({ count: counter }),
  errors: ['not-found'],
  summary: 'Marks a post as liked; liking twice is liking once',
  specification: 'Likes',
});

export const deleteLike = defineRoute({
  id: 'likes-delete',
  methods: ['POST'],
  path: '/likes/delete',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: z.object(item),
  output: z.object({ count: counter }),
  errors: ['not-found'],
  summary: 'Takes the like mark of a post away',
  specification: 'Likes',
});

export const isLiked = defineRoute({
  id: 'likes-is-liked',
  methods: ['GET'],
  path: '/likes/is_liked',
  scope: 'posts:read',
  needsUser: true,
  writes: false,
  input: z.object(item),
  output: z.object({ response: z.object({ liked: bit }) }),
  errors: ['not-found'],
  summary: 'Tells whether a post is liked: 1 liked, 0 not liked',
  specification: 'Likes',
});

export const listFavorites = defineRoute({
  id: 'users-favorites',
  methods: ['GET'],
  path: '/users/favorites',
  scope: 'users:read',
  needsUser: false,
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
  needsUser: false,
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
  needsUser: false,
  writes: false,
  input: z.object({ id: idParameter('the account'), ...pagingParameters }),
  output: listOf(accountSchema),
  errors: ['not-found'],
  summary: 'Lists whom an account follows, the newest first',
  specification: 'Accounts and users',
});

export const listFollowRequests = defineRoute({
  id: 'follows-requests',
  methods: ['GET'],
  path: '/follows/requests',
  scope: 'users:read',
  needsUser: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(accountSchema),
  errors: [],
  summary: 'Lists who asks to follow the account of the token, the newest request first',
  specification: 'Accounts and users',
});

export const addFollow = defineRoute({
  id: 'follows-add',
  methods: ['POST'],
  path: '/follows/add',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ count: counter, requested: bit }),
  errors: ['not-found'],
  summary: 'Follows an account, or asks to when it is protected (requested: 1); the answer counts its followers',
  specification: 'Accounts and users',
});

export const deleteFollow = defineRoute({
  id: 'follows-delete',
  methods: ['POST'],
  path: '/follows/delete',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ count: counter }),
  errors: ['not-found'],
  summary: 'Follows an account no longer, and asks no longer to; the answer counts its followers',
  specification: 'Accounts and users',
});

export const isFollowing = defineRoute({
  id: 'follows-is-following',
  methods: ['GET'],
  path: '/follows/is_following',
  scope: 'users:read',
  needsUser: true,
  writes: false,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ following: bit, requested: bit }) }),
  errors: ['not-found'],
  summary: 'Tells whether the account of the token follows another, or has asked to: 1 yes, 0 no',
  specification: 'Accounts and users',
});
