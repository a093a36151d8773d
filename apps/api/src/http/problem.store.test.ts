import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** D52, D59: the title of a problem, and nothing else, is in the language of the reader. */
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let acct: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  acct = (await api.register('many_tongues')).id;
});
afterAll(async () => await cleanup.disposeAsync());

const refused = async (language: string) =>
  await api.call('GET /post/show?id=0', { headers: { 'accept-language': language } });

test.each([
  ['de', 'de'],
  ['de-AT, en;q=0.5', 'de'],
  ['it, de;q=0.3', 'de'],
  ['fr-CH, de;q=0.3', 'fr'],
  ['es', 'es'],
  ['en-GB, de;q=0.9', 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['it', 'en'],
  ['de;q=0', 'en'],
  ['__proto__', 'en'],
  [';;,', 'en'],
] as const)('Accept-Language: %j gets %s', async (asked, language) => {
  const { headers, body } = await refused(asked);
  expect(body.title).toBe(errorTitle('invalid-parameter', language));
  expect([headers['content-language'], headers['vary']]).toEqual([language, 'Accept-Language']);
});

test('code, detail, type and parameter names do not depend on the language', async () => {
  const [english, german] = [await refused('en'), await refused('de')];
  expect(german.body.title).not.toBe(english.body.title);
  const rest = { title: undefined, request_id: undefined };
  expect({ ...german.body, ...rest }).toEqual({ ...english.body, ...rest });
});

test.each([
  ['GET /users/is?id=1', { claims: null }, 'token-required'],
  ['GET /nothing', {}, 'unknown-endpoint'],
  ['DELETE /post', {}, 'method-not-allowed'],
] as const)('%s has a German title too', async (target, options, code) => {
  const { status, body } = await api.call(target, { ...options, headers: { 'accept-language': 'de' } });
  expect([status, body.code, body.title]).toEqual([errorCatalogue[code].status, code, errorTitle(code, 'de')]);
});

test('`created` is always in English', async () => {
  const { body } = await api.call('POST /post/create', {
    claims: { acct },
    headers: { 'accept-language': 'de', 'content-type': 'application/json' },
    body: '{"message":"Grüße"}',
  });
  expect(body.items.created).toMatch(
    /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M$/,
  );
  expect(body.message).toBe('The post was created.');
});
