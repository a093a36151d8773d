import { z } from 'zod';

import { mutedAccountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { endParameter, idParameter } from '../parameters.ts';
import { bitSchema } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const addMute = defineRoute({
  id: 'mutes-add',
  methods: ['POST'],
  path: '/mutes/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account'), ends_at: endParameter().optional() }),
  output: z.object({ response: z.object({ muted: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Mute an account',
  description:
    'Hides its posts and reposts from the feed and the public timeline of the acting account, and its mentions and notifications. Nothing else changes, and the account does not notice. Muting it again replaces the end; without `ends_at`, the mute has none.',
  specification: 'Accounts and users',
});

export const deleteMute = defineRoute({
  id: 'mutes-delete',
  methods: ['POST'],
  path: '/mutes/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ muted: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Unmute an account',
  specification: 'Accounts and users',
});

export const listMutes = defineRoute({
  id: 'mutes-list',
  methods: ['GET'],
  path: '/mutes',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(mutedAccountSchema),
  errors: [],
  summary: 'List muted accounts',
  description: 'Returns the accounts that the acting account mutes at the moment, newest mute first.',
  specification: 'Accounts and users',
});
