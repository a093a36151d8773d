/** What the account of the token allows the application of the token (decisions D19: its own grants alone). */
import { z } from 'zod';

import { grantSchema } from './objects.ts';
import { listOf, pagingParameters } from './paging.ts';
import { idParameter, keptScopesParameter } from './parameters.ts';
import { defineRoute } from './route.ts';

export const listGrants = defineRoute({
  id: 'account-grants',
  methods: ['GET'],
  path: '/account/grants',
  scope: 'users:read',
  needsUser: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(grantSchema),
  errors: [],
  summary: 'Lists what the account of the token allows this application, the newest grant first',
  specification: 'Accounts and users',
});

export const narrowGrant = defineRoute({
  id: 'account-grants-narrow',
  methods: ['POST'],
  path: '/account/grants/narrow',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ id: idParameter('the grant'), scope: keptScopesParameter() }),
  output: grantSchema,
  errors: ['not-found'],
  summary: 'Gives scopes back: the grant keeps those named; its access tokens end within a second',
  specification: 'Accounts and users',
});

export const revokeGrant = defineRoute({
  id: 'account-grants-revoke',
  methods: ['POST'],
  path: '/account/grants/revoke',
  scope: 'users',
  needsUser: true,
  writes: true,
  input: z.object({ id: idParameter('the grant') }),
  output: z.object({ status: z.literal('succeeded'), message: z.string() }),
  errors: ['not-found'],
  summary: 'Ends a grant; its tokens end within a second',
  specification: 'Accounts and users',
});
