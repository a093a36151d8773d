import { z } from 'zod';

import { accountSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { bitSchema } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const addBlock = defineRoute({
  id: 'blocks-add',
  methods: ['POST'],
  path: '/blocks/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ blocking: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Block an account',
  description:
    'Hides the two accounts from each other: posts, reposts, comments, likes, mentions, media and lists. Ends follows and follow requests in both directions. Neither can follow, mention, like, repost or comment on the other. Others still see both. Works for an account that blocks the acting account, too.',
  specification: 'Accounts and users',
});

export const deleteBlock = defineRoute({
  id: 'blocks-delete',
  methods: ['POST'],
  path: '/blocks/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the account') }),
  output: z.object({ response: z.object({ blocking: bitSchema }) }),
  errors: ['not-found'],
  summary: 'Unblock an account',
  description: 'Follows that the block ended do not come back.',
  specification: 'Accounts and users',
});

export const listBlocks = defineRoute({
  id: 'blocks-list',
  methods: ['GET'],
  path: '/blocks',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object(pagingParameters),
  output: listOf(accountSchema),
  errors: [],
  summary: 'List blocked accounts',
  description: 'Returns the accounts that the acting account blocks, newest block first.',
  specification: 'Accounts and users',
});
