import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import {
  emailParameter,
  passwordParameter,
  registrationReasonParameter,
  textParameter,
  usernameParameter,
} from '../parameters.ts';
import { nameSchema } from '../profile.ts';
import { bitSchema } from '../object-fields.ts';
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
    reason: registrationReasonParameter().optional(),
    invitation: textParameter(100)
      .meta({ description: 'Code of an invitation: the end of its link.', examples: ['q7YbQfkP0t1nC4mZs9vJwA'] })
      .optional(),
  }),
  output: z.object({
    message: z.string().meta({
      description:
        '`succeeded`, or `pending` if an operator has to approve the account; followed by a hint if the password is easy to guess.',
    }),
    user: accountSchema,
  }),
  errors: ['email-taken', 'username-taken', 'registration-closed', 'registration-refused'],
  summary: 'Register an account',
  description:
    'With `pending`, `user` is the account as it will be. Nobody can see it or sign in to it until an operator approves it; the person gets mail then.',
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
