import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { itemParameters } from '../parameters.ts';
import { bitSchema, countResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const addLike = defineRoute({
  id: 'likes-add',
  methods: ['POST'],
  path: '/likes/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Like a post',
  description: 'Liking a post again has no effect. `count` is the number of likes of the post.',
  specification: 'Likes',
});

export const deleteLike = defineRoute({
  id: 'likes-delete',
  methods: ['POST'],
  path: '/likes/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Unlike a post',
  description: '`count` is the number of likes of the post.',
  specification: 'Likes',
});

export const isLiked = defineRoute({
  id: 'likes-is-liked',
  methods: ['GET'],
  path: '/likes/is_liked',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(itemParameters),
  output: z.object({ response: z.object({ liked: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Check a like',
  description: '`liked` is 1 if the acting account likes the post, 0 if not.',
  specification: 'Likes',
});

export const listLikes = defineRoute({
  id: 'likes-list',
  methods: ['GET'],
  path: '/likes',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ ...itemParameters, ...pagingParameters }),
  output: listOf(accountSchema),
  errors: ['not-found'],
  summary: 'List accounts that like a post',
  description: 'Returns the accounts that like a post, most recent like first.',
  specification: 'Likes',
});
