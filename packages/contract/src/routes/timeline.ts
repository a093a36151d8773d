import { z } from 'zod';

import { postSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { defineRoute } from '../route.ts';

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
