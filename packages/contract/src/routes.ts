import { z } from 'zod';

import { accountSchema, listedPostSchema, postSchema, shownAccountSchema } from './objects.ts';
import { listOf, pagingParameters } from './paging.ts';
import { emailParameter, idParameter, passwordParameter, textParameter, usernameParameter } from './parameters.ts';
import { nameSchema } from './profile.ts';
import { defineRoute } from './route.ts';

const bit = z.union([z.literal(0), z.literal(1)]);

export const registerAccount = defineRoute({
  id: 'auth-register',
  methods: ['POST'],
  path: '/auth/register',
  scope: null,
  needsUser: false,
  writes: true,
  sharedLimit: 'register',
  input: nameSchema.extend({
    email: emailParameter(),
    password: passwordParameter(),
    username: usernameParameter().optional(),
  }),
  output: z.object({ message: z.string(), user: accountSchema }),
  errors: ['email-taken', 'username-taken'],
  summary: 'Registers an account',
  specification: 'Registration',
});

export const isEmail = defineRoute({
  id: 'auth-is-email',
  methods: ['GET', 'POST'],
  path: '/auth/is_email',
  scope: null,
  needsUser: false,
  writes: false,
  sharedLimit: 'is-email',
  input: z.object({ email: emailParameter() }),
  output: z.object({ response: bit }),
  errors: [],
  summary: 'Tells whether an e-mail address is taken: 0 free, 1 taken',
  specification: 'Registration',
});

export const showUser = defineRoute({
  id: 'users-show',
  methods: ['GET'],
  path: '/users/show',
  scope: 'users:read',
  needsUser: false,
  writes: false,
  input: z.object({ id: idParameter('the account').optional(), username: usernameParameter().optional() }),
  output: shownAccountSchema,
  errors: ['not-found'],
  summary: 'Reads an account; without id and username, the account of the token',
  specification: 'Accounts and users',
});

export const isUser = defineRoute({
  id: 'users-is',
  methods: ['GET'],
  path: '/users/is',
  scope: 'users:read',
  needsUser: false,
  writes: false,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ user: bit }), exists: z.boolean() }),
  errors: [],
  summary: 'Tells whether an account exists: 0 exists, 1 does not exist',
  specification: 'Accounts and users',
});

export const createPost = defineRoute({
  id: 'post-create',
  methods: ['POST', 'GET'],
  path: '/post/create',
  scope: 'posts',
  needsUser: true,
  writes: true,
  input: z.object({
    message: textParameter(400).meta({ examples: ['Hello #Linnet'] }),
    media: idParameter("the caller's own upload, not attached yet").optional(),
  }),
  output: z.object({ status: z.literal('succeeded'), message: z.string(), items: postSchema }),
  errors: ['media-not-usable', 'media-attached'],
  summary: 'Creates a post',
  specification: 'Posts',
});

export const showPost = defineRoute({
  id: 'post-show',
  methods: ['GET'],
  path: '/post/show',
  scope: 'posts:read',
  needsUser: false,
  writes: false,
  input: z.object({ id: idParameter('the post') }),
  output: z.object({ items: postSchema }),
  errors: ['not-found'],
  summary: 'Reads a post',
  specification: 'Posts',
});

export const listPosts = defineRoute({
  id: 'post-list',
  methods: ['GET'],
  path: '/post',
  scope: 'posts:read',
  needsUser: false,
  writes: false,
  input: z.object({ user_id: idParameter('the account'), ...pagingParameters }),
  output: listOf(listedPostSchema),
  errors: ['not-found', 'protected-account'],
  summary: 'Lists the latest posts and reposts of an account',
  specification: 'Posts',
});

export const listFeed = defineRoute({
  id: 'feed',
  methods: ['GET'],
  path: '/feed',
  scope: 'posts:read',
  needsUser: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(listedPostSchema),
  errors: [],
  summary: 'Lists the latest posts and reposts of the account of the token and of those it follows',
  specification: 'Posts',
});
