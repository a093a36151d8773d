import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { itemParameters } from '../parameters.ts';
import { bitSchema, countResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const addRepost = defineRoute({
  id: 'reposts-add',
  methods: ['POST'],
  path: '/reposts/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Repost a post',
  description: 'Reposting a post again has no effect. `count` is the number of reposts of the post.',
  specification: 'Likes',
});

export const deleteRepost = defineRoute({
  id: 'reposts-delete',
  methods: ['POST'],
  path: '/reposts/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Undo a repost',
  description: '`count` is the number of reposts of the post.',
  specification: 'Likes',
});

export const isReposted = defineRoute({
  id: 'reposts-is-reposted',
  methods: ['GET'],
  path: '/reposts/is_reposted',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(itemParameters),
  output: z.object({ response: z.object({ reposted: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Check a repost',
  description: '`reposted` is 1 if the acting account reposted the post, 0 if not.',
  specification: 'Likes',
});

export const listReposts = defineRoute({
  id: 'reposts-list',
  methods: ['GET'],
  path: '/reposts',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ ...itemParameters, ...pagingParameters }),
  output: listOf(accountSchema),
  errors: ['not-found'],
  summary: 'List accounts that reposted a post',
  description: 'Returns the accounts that reposted a post, most recent repost first.',
  specification: 'Reposts',
});
