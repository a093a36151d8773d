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
  summary: 'List the feed',
  description:
    'Returns posts and reposts of the acting account and of the accounts it follows, and posts with hashtags that it follows, newest first. Of each hashtag, only its latest 100 posts are considered.',
  specification: 'Posts',
});
