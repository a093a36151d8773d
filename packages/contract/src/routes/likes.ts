import { z } from 'zod';

import { itemParameters } from '../parameters.ts';
import { bitSchema, countResponse } from '../responses.ts';
import { defineRoute } from '../route.ts';

export const addLike = defineRoute({
  id: 'likes-add',
  methods: ['POST'],
  path: '/likes/add',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Marks a post as liked; liking twice is liking once',
  specification: 'Likes',
});

export const deleteLike = defineRoute({
  id: 'likes-delete',
  methods: ['POST'],
  path: '/likes/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object(itemParameters),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Takes the like mark of a post away',
  specification: 'Likes',
});

export const isLiked = defineRoute({
  id: 'likes-is-liked',
  methods: ['GET'],
  path: '/likes/is_liked',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  input: z.object(itemParameters),
  output: z.object({ response: z.object({ liked: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Tells whether a post is liked: 1 liked, 0 not liked',
  specification: 'Likes',
});
