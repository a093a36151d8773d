import { z } from 'zod';

import { itemParameters } from '../parameters.ts';
import { bitSchema, countResponse } from '../responses.ts';
import { defineRoute } from '../route.ts';

export const addRepost = defineRoute({
  id: 'reposts-add',
  methods: ['POST'],
  path: '/reposts/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Reposts a post; reposting twice is reposting once',
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
  summary: 'Takes a repost back',
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
  summary: 'Tells whether a post is reposted: 1 reposted, 0 not reposted',
  specification: 'Likes',
});
