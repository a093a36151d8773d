import * as routes from '@linnet/contract/routes';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '../testing/running-api.ts';
import type { RunningApi } from '../testing/running-api.ts';

/** How many statements each endpoint sends: reads one round trip, writes at most two. */

let database: TestDatabase;
let api: RunningApi;
let acct: number;
let post: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  acct = (await api.register('statements')).id;
  const created = await api.call('GET /post/create?message=hello+@statements', { claims: { acct } });
  post = created.body.items.id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const registration = '?first_name=Ada&last_name=Lovelace&email=statements2@example.org&password=secret';

const expected: Record<keyof typeof routes, { readonly statements: number; readonly query: () => string }> = {
  registerAccount: { statements: 2, query: () => registration },
  isEmail: { statements: 1, query: () => '?email=statements@example.org' },
  checkUsername: { statements: 1, query: () => '?username=statements' },
  showUser: { statements: 1, query: () => `?id=${String(acct)}` },
  isUser: { statements: 1, query: () => `?id=${String(acct)}` },
  createPost: { statements: 1, query: () => '?message=hello+@statements+%23tag' },
  showPost: { statements: 1, query: () => `?id=${String(post)}` },
  listPosts: { statements: 1, query: () => `?user_id=${String(acct)}` },
};

test.each(Object.entries(routes))('%s', async (name, route) => {
  const { statements, query } = expected[name as keyof typeof routes]; // test.each widens the key
  const encoded = query();
  api.statements.length = 0;
  const { status } =
    route.methods[0] === 'GET'
      ? await api.call(`GET ${route.path}${encoded}`, { claims: { acct } })
      : await api.call(`POST ${route.path}`, {
          claims: { acct },
          body: encoded.slice(1),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
  expect([status, api.statements.length, api.statements]).toEqual([200, statements, api.statements]);
});

test('a refused request sends none', async () => {
  api.statements.length = 0;
  await api.call('GET /post/show?id=0');
  await api.call('GET /post/show?id=1', { claims: null });
  await api.call('GET /post/create?message=x', { claims: { scope: 'users', acct } });
  expect(api.statements).toEqual([]);
});
