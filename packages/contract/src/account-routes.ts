/** What an account does with itself. */
import { z } from 'zod';

import { accountSchema, commentSchema, mediaSchema, postSchema, shownAccountSchema } from './objects.ts';
import { cursorParameter, flagParameter, idParameter, passwordParameter, usernameParameter } from './parameters.ts';
import { profileSchema } from './profile.ts';
import { defineRoute } from './route.ts';

const bit = z.union([z.literal(0), z.literal(1)]);

export const checkUsername = defineRoute({
  id: 'account-check-username',
  methods: ['GET'],
  path: '/account/check_username',
  scope: 'users:read',
  needsUser: false,
  writes: false,
  sharedLimit: 'check-username',
  input: z.object({ username: usernameParameter() }),
  output: z.object({ response: z.object({ status: bit }) }),
  errors: [],
  summary: 'Tells whether a username is taken: 1 taken, 0 free',
  specification: 'Accounts and users',
});

const nameAnswer = { status: bit, username: z.string() };

export const updateUsername = defineRoute({
  id: 'account-update-username',
  methods: ['POST'],
  path: '/account/update_username',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ username: usernameParameter() }),
  output: z.object({ response: z.object(nameAnswer), ...nameAnswer }),
  errors: ['rate-limited'],
  summary:
    'Changes the username: 0 changed, 1 taken and unchanged; the old one stays reserved for 30 days, ten of them at most',
  specification: 'Accounts and users',
});

export const updateAccount = defineRoute({
  id: 'account-update',
  methods: ['POST'],
  path: '/account/update',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: profileSchema.partial().extend({
    protected: flagParameter().optional(),
    avatar: idParameter("the account's own upload").optional(),
  }),
  output: shownAccountSchema,
  errors: ['media-not-usable'],
  summary: 'Changes the profile; what is left out stays as it is',
  specification: 'Accounts and users',
});

export const deleteAccount = defineRoute({
  id: 'account-delete',
  methods: ['POST'],
  path: '/account/delete',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ password: passwordParameter() }),
  output: z.object({ status: z.literal('succeeded'), message: z.string() }),
  errors: ['wrong-password', 'rate-limited'],
  summary: 'Deletes the account; an operator can restore it for 14 days',
  specification: 'Accounts and users',
});

const since = { created: z.string(), created_at: z.iso.datetime() };

export const exportAccount = defineRoute({
  id: 'account-export',
  methods: ['POST'],
  path: '/account/export',
  scope: 'users:read',
  needsUser: true,
  writes: false,
  input: z.object({ cursor: cursorParameter().optional() }),
  output: z.object({
    profile: shownAccountSchema.omit({ post: true }),
    posts: z.array(postSchema),
    reposts: z.array(z.object({ item_id: z.int(), ...since })),
    comments: z.array(commentSchema.omit({ user: true }).extend({ item_id: z.int() })),
    likes: z.array(z.object({ item_id: z.int() })),
    follows: z.object({ following: z.array(accountSchema), followers: z.array(accountSchema) }),
    media: z.array(
      mediaSchema.omit({ user: true }).extend({
        media: postSchema.shape.media.meta({ description: 'The picture, and its file in full size.' }),
        ...since,
      }),
    ),
    /** There is more: send it as `cursor`. */
    next: z.string().optional(),
  }),
  errors: [],
  summary:
    'Exports the account, oldest records first: at most 500 of each kind in one answer; `next` is the `cursor` of the next answer',
  specification: 'Accounts and users',
});
