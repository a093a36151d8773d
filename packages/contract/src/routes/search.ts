import { z } from 'zod';

import { codePointLength } from '../code-points.ts';
import { documentAs } from '../document-as.ts';
import { accountSchema, postSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { defineRoute } from '../route.ts';
import { searchQueryParameter } from '../search-query.ts';

const maxLength = 100;
const maxWords = 10;

/** A search: words of names, or `@` and the start of a username. */
function accountSearchParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => codePointLength(text) <= maxLength, {
      error: `must be at most ${String(maxLength)} characters long`,
      abort: true,
    })
    .refine((text) => /[\p{L}\p{N}_]/u.test(text), { error: 'must have a letter or a digit' })
    .refine((text) => text.trim().split(/\s+/u).length <= maxWords, {
      error: `must have at most ${String(maxWords)} words`,
    })
    .meta({
      description: `Words of the name, or starts of them, in any order; or \`@\` and the start of a username. At most ${String(maxLength)} characters and ${String(maxWords)} words.`,
      examples: ['ada lov'],
      ...documentAs({ minLength: 1, maxLength }),
    });
}

export const searchPosts = defineRoute({
  id: 'search-posts',
  methods: ['GET'],
  path: '/search/posts',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ query: searchQueryParameter(), ...pagingParameters }),
  output: listOf(postSchema),
  errors: [],
  summary: 'Search posts',
  description:
    'Returns the posts that contain all words, newest first, without reposts. Case, width and accents make no difference. Text without spaces, such as Chinese, Japanese and Thai, is found by any part of it. If more than 100 of the latest 500 or 5,000 posts match, `total` and page numbers count these only; cursors lead to all. `from:` searches the latest 20,000 posts of the account. Posts of muted accounts are left out, except with `from:`.',
  specification: 'Posts',
});

export const searchUsers = defineRoute({
  id: 'search-users',
  methods: ['GET'],
  path: '/search/users',
  scope: 'users:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ query: accountSearchParameter(), ...pagingParameters }),
  output: listOf(accountSchema),
  errors: [],
  summary: 'Search accounts',
  description:
    'Returns up to 300 accounts whose names have words that start with those of the query: first those that the acting account follows, of the latest 1,000; then the account with exactly this username; then others, those with the most followers first. If fewer than 10 are found, names follow in which words of four or more characters differ by one typing error. Case, width and accents make no difference. Names without spaces, such as Chinese and Japanese, are found by any part. Of a word that very many accounts have, only those with the most followers are found, so write more of the name if one is missing. Suspended and deleted accounts are left out, and those with a block between them and the acting account.',
  specification: 'Accounts and users',
});
