import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { emailParameter, passwordParameter, usernameParameter } from '../parameters.ts';
import { nameSchema } from '../profile.ts';
import { bitSchema } from '../responses.ts';
import { defineRoute } from '../route.ts';

export const registerAccount = defineRoute({
  id: 'auth-register',
  methods: ['POST'],
  path: '/auth/register',
  scope: null,
  requiresAccount: false,
  writes: true,
  sharedLimit: 'register',
  input: nameSchema.extend({
    email: emailParameter(),
    password: passwordParameter(),
    username: usernameParameter().optional(),
  }),
  output: z.object({
    message: z.string().meta({ description: '`succeeded`, followed by a hint if the password is easy to guess.' }),
    user: accountSchema,
  }),
  errors: ['email-taken', 'username-taken'],
  summary: 'Register an account',
  specification: 'Registration',
});

export const isEmail = defineRoute({
  id: 'auth-is-email',
  methods: ['GET', 'POST'],
  path: '/auth/is_email',
  scope: null,
  requiresAccount: false,
  writes: false,
  sharedLimit: 'is-email',
  input: z.object({ email: emailParameter() }),
  output: z.object({ response: bitSchema }),
  errors: [],
  summary: 'Check an e-mail address',
  description: '`response` is 1 if an account uses the e-mail address, 0 if not.',
  specification: 'Registration',
});
