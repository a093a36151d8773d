import { z } from 'zod';

import { endParameter, idParameter } from '../parameters.ts';
import { succeededResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';
import { filterMatchParameter, filterTextParameter, wordFilterSchema } from '../word-filter.ts';

export const addFilter = defineRoute({
  id: 'filters-add',
  methods: ['POST'],
  path: '/filters/add',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ text: filterTextParameter(), match: filterMatchParameter(), ends_at: endParameter().optional() }),
  output: wordFilterSchema,
  errors: [],
  summary: 'Add a word filter',
  description:
    'Marks posts and comments of others that have the text: their `viewer` has it in `filtered`, so that clients can collapse them. Adding the same text again replaces `match` and the end; without `ends_at`, the filter has none. An account has at most 100 filters.',
  specification: 'Accounts and users',
});

export const deleteFilter = defineRoute({
  id: 'filters-delete',
  methods: ['POST'],
  path: '/filters/delete',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the filter') }),
  output: succeededResponse,
  errors: ['not-found'],
  summary: 'Delete a word filter',
  specification: 'Accounts and users',
});

export const listFilters = defineRoute({
  id: 'filters-list',
  methods: ['GET'],
  path: '/filters',
  scope: 'users:read',
  requiresAccount: true,
  writes: false,
  input: z.object({}),
  output: z.object({
    total: z.int().min(0).meta({ description: 'Number of filters.' }),
    count: z.int().min(0).meta({ description: 'The same as `total`: this list has one page.' }),
    items: z.array(wordFilterSchema),
  }),
  errors: [],
  summary: 'List word filters',
  description: 'Returns the filters of the acting account that have not ended, newest first.',
  specification: 'Accounts and users',
});
