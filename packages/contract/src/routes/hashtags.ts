import { z } from 'zod';

import { hashtagSchema } from '../hashtag.ts';
import { bitSchema } from '../object-fields.ts';
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

export const showHashtag = defineRoute({
  id: 'hashtags-show',
  methods: ['GET'],
  path: '/hashtags/show',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ hashtag: hashtagParameter('Hashtag') }),
  output: hashtagSchema,
  errors: [],
  summary: 'Get a hashtag',
  description:
    'Says how much a hashtag is used, and whether the acting account follows it. Nobody needs to have used it.',
  specification: 'Posts',
});

const followedResponse = z.object({ response: z.object({ following: bitSchema }) });

export const followHashtag = defineRoute({
  id: 'hashtags-follows-add',
  methods: ['POST'],
  path: '/hashtags/follows/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ hashtag: hashtagParameter('Hashtag') }),
  output: followedResponse,
  errors: [],
  summary: 'Follow a hashtag',
  description:
    'Posts with it are then in the feed of the acting account. Only the account itself sees which hashtags it follows, 100 at most. Following one again has no effect.',
  specification: 'Accounts and users',
});

export const unfollowHashtag = defineRoute({
  id: 'hashtags-follows-delete',
  methods: ['POST'],
  path: '/hashtags/follows/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ hashtag: hashtagParameter('Hashtag') }),
  output: followedResponse,
  errors: [],
  summary: 'Unfollow a hashtag',
  specification: 'Accounts and users',
});

export const listFollowedHashtags = defineRoute({
  id: 'hashtags-follows',
  methods: ['GET'],
  path: '/hashtags/follows',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(hashtagSchema),
  errors: [],
  summary: 'List followed hashtags',
  description: 'Returns the hashtags that the acting account follows, the one followed last first.',
  specification: 'Accounts and users',
});
