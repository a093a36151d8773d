import { z } from 'zod';

import { commentSchema } from '../objects.ts';
import { listOf, orderParameter, pagingParameters } from '../paging.ts';
import { idParameter, itemParameters } from '../parameters.ts';
import { succeededResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';
import { commentParameters } from '../writing.ts';

export const createComment = defineRoute({
  id: 'comment-create',
  methods: ['POST', 'GET'],
  path: '/comment/create',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object({ ...itemParameters, ...commentParameters }),
  output: commentSchema.extend({ status: z.literal(0) }),
  errors: ['not-found', 'comments-restricted'],
  summary: 'Add a comment',
  description:
    'The text may mention accounts and have hashtags. With `parent_id` it is a reply to that comment. `commenters` of the post says who can comment.',
  specification: 'Comments',
});

export const showComment = defineRoute({
  id: 'comment-show',
  methods: ['GET'],
  path: '/comment/show',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the comment') }),
  output: z.object({ items: commentSchema }),
  hasVersion: true,
  errors: ['not-found'],
  summary: 'Get a comment',
  specification: 'Comments',
});

export const listComments = defineRoute({
  id: 'comment-list',
  methods: ['GET'],
  path: '/comment',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ ...itemParameters, ...pagingParameters, order: orderParameter() }),
  output: listOf(commentSchema),
  errors: ['not-found'],
  summary: 'List comments',
  description:
    'Returns the comments on a post, newest first. With `order=oldest` they are in the order in which people wrote them, and `next` leads to newer ones.',
  specification: 'Comments',
});

export const deleteComment = defineRoute({
  id: 'comment-delete',
  methods: ['POST'],
  path: '/comment/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the comment') }),
  output: succeededResponse,
  errors: ['not-found', 'not-owner'],
  summary: 'Delete a comment',
  description: 'For the author of the comment and the author of the post.',
  specification: 'Comments',
});
