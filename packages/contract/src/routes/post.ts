import { z } from 'zod';

import { idListParameter } from '../list-parameters.ts';
import { lookupOf, missingPostSchema } from '../lookup.ts';
import { succeededResponse } from '../object-fields.ts';
import { listedPostSchema, postSchema, postVersionSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { defineRoute } from '../route.ts';
import { postParameters, postSettingParameters } from '../writing.ts';

export const createPost = defineRoute({
  id: 'post-create',
  methods: ['POST', 'GET'],
  path: '/post/create',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object(postParameters),
  output: z.object({ status: z.literal('succeeded'), message: z.string(), items: postSchema }),
  errors: ['not-found', 'media-not-usable', 'media-attached', 'quotes-restricted'],
  summary: 'Create a post',
  description:
    'A post has up to four pictures: `media` names one, `attachments` several. If one of them cannot be attached, no post is created. Everyone can comment, and media is shown, unless `commenters` and `sensitive` say otherwise. With `quote_id` it quotes another post.',
  specification: 'Posts',
});

export const updatePostSettings = defineRoute({
  id: 'post-settings-update',
  methods: ['POST'],
  path: '/post/settings/update',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the post'), ...postSettingParameters }),
  output: z.object({ status: z.literal('succeeded'), message: z.string(), items: postSchema }),
  errors: ['not-found', 'not-owner'],
  summary: 'Change the settings of a post',
  description:
    'For the author of the post. Parameters that you leave out stay unchanged. Comments that were written before stay.',
  specification: 'Posts',
});

export const deleteQuote = defineRoute({
  id: 'post-quote-delete',
  methods: ['POST'],
  path: '/post/quote/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the post that quotes one of the account') }),
  output: succeededResponse,
  errors: ['not-found', 'not-owner'],
  summary: 'Remove a post from a quote',
  description:
    'For the author of the quoted post: the other post stays, and everybody sees that what it quotes is unavailable. It cannot be undone.',
  specification: 'Posts',
});

export const editPost = defineRoute({
  id: 'post-edit',
  methods: ['POST'],
  path: '/post/edit',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({
    id: idParameter('the post'),
    message: textParameter(400).meta({ description: 'The new text.', examples: ['Hello #Linnet'] }),
  }),
  output: z.object({ status: z.literal('succeeded'), message: z.string(), items: postSchema }),
  errors: ['not-found', 'not-owner', 'too-many-edits'],
  summary: 'Edit a post',
  description:
    'Replaces the text. Everything else stays: the id, the times, media, likes, reposts and comments. Who is mentioned for the first time is notified. Everybody who sees the post sees the texts before, under `GET /post/history`. The text that the post already has changes nothing.',
  specification: 'Posts',
});

export const listPostHistory = defineRoute({
  id: 'post-history',
  methods: ['GET'],
  path: '/post/history',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the post'), ...pagingParameters }),
  output: listOf(postVersionSchema),
  errors: ['not-found'],
  summary: 'List the versions of a post',
  description:
    'Returns the current text and those that edits replaced, newest first. A post that was never edited has one.',
  specification: 'Posts',
});

export const showPost = defineRoute({
  id: 'post-show',
  methods: ['GET'],
  path: '/post/show',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the post') }),
  output: z.object({ items: postSchema }),
  hasVersion: true,
  errors: ['not-found'],
  summary: 'Get a post',
  specification: 'Posts',
});

export const lookUpPosts = defineRoute({
  id: 'post-lookup',
  methods: ['GET'],
  path: '/post/lookup',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idListParameter('the posts') }),
  output: lookupOf(postSchema, missingPostSchema),
  errors: [],
  summary: 'Look up posts',
  description:
    'Returns up to 100 posts by id, in the order asked. An id that is asked for twice counts once, at its first position.',
  specification: 'Posts',
});

export const listPosts = defineRoute({
  id: 'post-list',
  methods: ['GET'],
  path: '/post',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ user_id: idParameter('the account'), ...pagingParameters }),
  output: listOf(listedPostSchema),
  errors: ['not-found', 'protected-account'],
  summary: 'List posts',
  description: 'Returns the posts and reposts of an account, newest first.',
  specification: 'Posts',
});

export const deletePost = defineRoute({
  id: 'post-delete',
  methods: ['POST'],
  path: '/post/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the post') }),
  output: succeededResponse,
  errors: ['not-found', 'not-owner'],
  summary: 'Delete a post',
  description: 'Deletes the comments, likes and reposts of the post as well.',
  specification: 'Posts',
});
