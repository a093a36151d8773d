import { z } from 'zod';

import { hashtagSchema } from '../hashtag.ts';
import { postSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { countParameter, hashtagParameter } from '../parameters.ts';
import { defineRoute } from '../route.ts';

const hashtagsResponse = z.object({
  total: z.int().min(0).meta({ description: 'Number of hashtags in the response.' }),
  count: z.int().min(0).meta({ description: 'The same as `total`: this list has one page.' }),
  items: z.array(hashtagSchema),
});

export const listHashtagPosts = defineRoute({
  id: 'hashtags-posts',
  methods: ['GET'],
  path: '/hashtags/posts',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ hashtag: hashtagParameter('Hashtag'), ...pagingParameters }),
  output: listOf(postSchema),
  errors: [],
  summary: 'List posts with a hashtag',
  description:
    'Returns the posts with a hashtag, newest first, without reposts. Upper and lower case are the same. Hashtags of more than 100 characters have no posts.',
  specification: 'Posts',
});

export const searchHashtags = defineRoute({
  id: 'hashtags-search',
  methods: ['GET'],
  path: '/hashtags/search',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ hashtag: hashtagParameter('Start of the hashtags'), count: countParameter() }),
  output: hashtagsResponse,
  errors: [],
  summary: 'Search hashtags',
  description:
    'Returns hashtags that start with a text: trending ones first, then others in alphabetical order. Write more of the hashtag if one is missing, because a search looks at no more than 200.',
  specification: 'Posts',
});

export const listTrendingHashtags = defineRoute({
  id: 'hashtags-trending',
  methods: ['GET'],
  path: '/hashtags/trending',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ count: countParameter() }),
  output: hashtagsResponse,
  errors: [],
  summary: 'List trending hashtags',
  description:
    'Returns up to 100 hashtags that at least two accounts have used in the last 48 hours, the most used first. Each account counts once, and half of that six hours after its latest post with the hashtag. Computed every few minutes. Protected accounts do not count.',
  specification: 'Posts',
});
