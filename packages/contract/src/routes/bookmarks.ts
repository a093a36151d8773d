import { z } from 'zod';

import { postSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { itemParameters } from '../parameters.ts';
import { bitSchema } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

const bookmarkedResponse = z.object({ response: z.object({ bookmarked: bitSchema }) });

export const addBookmark = defineRoute({
  id: 'bookmarks-add',
  methods: ['POST'],
  path: '/bookmarks/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: bookmarkedResponse,
  errors: ['not-found'],
  summary: 'Bookmark a post',
  description:
    'Only the acting account sees its bookmarks: neither others nor the author learn of them. Bookmarking a post again has no effect.',
  specification: 'Likes',
});

export const deleteBookmark = defineRoute({
  id: 'bookmarks-delete',
  methods: ['POST'],
  path: '/bookmarks/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: bookmarkedResponse,
  errors: ['not-found'],
  summary: 'Delete a bookmark',
  description: 'Also removes the bookmark of a post that the acting account can no longer see.',
  specification: 'Likes',
});

export const listBookmarks = defineRoute({
  id: 'bookmarks-list',
  methods: ['GET'],
  path: '/bookmarks',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(postSchema),
  errors: [],
  summary: 'List bookmarked posts',
  description: 'Returns the posts that the acting account has bookmarked and may see, most recent bookmark first.',
  specification: 'Likes',
});
