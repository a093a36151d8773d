import { z } from 'zod';

import { idParameter } from '../parameters.ts';
import { countResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';

export const deleteFollower = defineRoute({
  id: 'followers-delete',
  methods: ['POST'],
  path: '/followers/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the follower') }),
  output: countResponse,
  errors: ['not-found'],
  summary: 'Remove a follower',
  description: '`count` is the number of followers of the acting account.',
  specification: 'Accounts and users',
});
