import { z } from 'zod';

import { listedPostSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { defineRoute } from '../route.ts';

export const listFeed = defineRoute({
  id: 'feed',
  methods: ['GET'],
  path: '/feed',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(listedPostSchema),
  errors: [],
  summary: 'Lists the latest posts and reposts of the account of the token and of those it follows',
  specification: 'Posts',
});
