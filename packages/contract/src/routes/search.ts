import { z } from 'zod';

import { postSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { defineRoute } from '../route.ts';
import { searchQueryParameter } from '../search-query.ts';

export const searchPosts = defineRoute({
  id: 'search-posts',
  methods: ['GET'],
  path: '/search/posts',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ query: searchQueryParameter(), ...pagingParameters }),
  output: listOf(postSchema),
  errors: [],
  summary: 'Search posts',
  description:
    'Returns the posts that contain all words, newest first, without reposts. Case, width and accents make no difference. Text without spaces, such as Chinese, Japanese and Thai, is found by any part of it. If more than 100 of the latest 5,000 posts match, `total` and page numbers count these only; cursors lead to all. `from:` searches the latest 20,000 posts of the account. Posts of muted accounts are left out, except with `from:`.',
  specification: 'Posts',
});
