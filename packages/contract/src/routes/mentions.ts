import { z } from 'zod';

import { mentionSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { defineRoute } from '../route.ts';

export const listMentions = defineRoute({
  id: 'mentions',
  methods: ['GET'],
  path: '/mentions',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(mentionSchema),
  errors: [],
  summary: 'List mentions',
  description: 'Returns the posts and comments of others that mention the acting account, newest first.',
  specification: 'Posts',
});
