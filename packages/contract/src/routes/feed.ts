import { z } from 'zod';

import { listedPostSchema, postSchema } from '../objects.ts';
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
    'Returns posts and reposts of the acting account and of the accounts it follows, and posts with hashtags that it follows, newest first. Only the latest 100 posts of each hashtag, and the latest 500 of all of them, are considered.',
  specification: 'Posts',
});

export const listPublicTimeline = defineRoute({
  id: 'timeline-public',
  methods: ['GET'],
  path: '/timeline/public',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(postSchema),
  errors: [],
  summary: 'List the public timeline',
  description: 'Returns the latest posts of all accounts that are not protected, newest first, without reposts.',
  specification: 'Posts',
});
