import type { Route } from '@linnet/contract/route';
import { registerAccount } from '@linnet/contract/routes/auth';
import { preferenceParameters } from '@linnet/contract/notifications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';

import { routesByName } from '@linnet/contract/routes';
import { tomorrow } from '@linnet/test/api/endpoint-cases';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** AP2: sends invalid values for every parameter of every endpoint. Generated from the contract. */
const invalidIds = [
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  '1a',
  ' 1',
  '0x10',
  '01',
  '9007199254740992',
  '1e20',
  '٣',
  'null',
  '[object Object]',
];
const invalidFlags = ['', 'yes', '2', '-1', 'TRUE', 'null'];
const invalidNumbers = ['', '-1', '1.5', '1e20', '1a', ' 1', '4294967296', 'NaN'];
const invalidValues: Record<string, readonly string[]> = {
  ...{ id: invalidIds, user_id: invalidIds, media: invalidIds },
  attachments: [...invalidIds, '1,', ',', '1,1', '1,2,3,4,5', '1;2', '1, 2'],
  alt: ['x'.repeat(1501), 'a\u2800b', 'a\0b'],
  ...{ item_id: invalidIds, parent_id: invalidIds, quote_id: invalidIds },
  type: ['', 'comment', 'POST', 'post '],
  endpoint: [
    '',
    'push.example',
    'ftp://push.example/',
    'https://a@push.example/',
    `https://p.example/${'x'.repeat(2048)}`,
  ],
  p256dh: ['', 'B'.repeat(87), 'x'.repeat(86)],
  auth: ['', 'x'.repeat(21), 'x'.repeat(23), '='.repeat(22)],
  types: ['', ',', 'like,', 'Like', 'like, reply', 'likes', 'like,poke'],
  text: ['', ' \n ', '\u200B', '\u2800\uFE0F\u00AD', 'x'.repeat(1001), '💙'.repeat(1001)],
  order: ['', 'newest ', 'OLDEST', 'most'],
  count: invalidNumbers,
  page: invalidNumbers,
  // For lists and the export: not base64url, not a cursor, not canonical, id out of range.
  cursor: [
    ...['', ' ', 'x', '!', '%%%', 'older 1', 'x'.repeat(513), 'b2xkZXIgMQ=='],
    ...['older 0', 'older', 'oldest 1', 'older 9007199254740992', 'b 1'].map(toBase64Url),
    ...['not-json', '[]', '[1,2,3,4,5,6,-1]', '["1",2,3,4,5,6,7]'].map(toBase64Url),
  ],
  invitation: ['x'.repeat(101)],
  username: ['', 'abcd', 'a'.repeat(33), 'with space', 'umläut', 'abcde\n', 'abcde\0', "abc'de", 'ａｂｃｄｅ'],
  email: [
    '',
    'plain',
    '@example.org',
    'a@',
    'a b@example.org',
    'a@b@c',
    `${'a'.repeat(250)}@example.org`,
    'a@example.org\n',
    'a@b',
    'a@bücher',
    'a@127.0.0.1',
  ],
  password: ['', '12345', 'x'.repeat(257)],
  first_name: ['', '   ', 'x'.repeat(26), 'a\0b'],
  last_name: ['', '\t\n', 'x'.repeat(31)],
  displayName: ['', ' \n', 'x'.repeat(57), '💙'.repeat(57), 'a\0b'],
  description: ['x'.repeat(401), '💙'.repeat(401), 'a\0b'],
  country: ['x'.repeat(101), 'a\0b'],
  language: ['', 'e', 'de_AT', 'deutsch-', 'x'.repeat(36), `en-x-${'abcdefgh-'.repeat(4)}a`, '*', 'de\n'],
  protected: invalidFlags,
  commenters: ['', 'nobody', 'Everyone', 'followers ', '0'],
  quoters: ['', 'mentioned', 'Everyone', 'nobody ', '0'],
  sensitive: invalidFlags,
  ...Object.fromEntries(Object.keys(preferenceParameters).map((kind) => [kind, invalidFlags])),
  avatar: invalidIds,
  scope: [
    '',
    ' ',
    'Users',
    'users,posts',
    'users:',
    'a\0b',
    'users\tposts',
    'ü',
    'x'.repeat(201),
    '__proto__',
    '#a',
    'https://a/#',
    'https://a/#b"',
    'urn:a#b',
  ],
  status: ['', 'drafts', 'DRAFT', 'published '],
  version: invalidIds,
  match: ['whole', 'WORD', 'word ', '1'],
  hashtag: ['', ' ', '#', '##a', 'a b', 'a-b', 'a%', 'a\0b', 'a'.repeat(801), '\ud800'],
  query: [
    '',
    ' ',
    '!?',
    '-a',
    'from:x',
    'a has:likes',
    'a since:2026-02-30',
    'a until:',
    'x'.repeat(201),
    'a '.repeat(21),
  ],
  ends_at: [
    '',
    '2020-01-01T00:00:00Z',
    '2099-01-01',
    '2099-01-01T00:00:00',
    '4070908800',
    '2099-13-01T00:00:00Z',
    'soon',
  ],
  publish_at: [
    '2020-01-01T00:00:00Z',
    '2099-01-01T00:00:00Z',
    `${tomorrow.slice(0, -1)}.5Z`,
    tomorrow.slice(0, -1),
    'soon',
  ],
  reason: ['', 'SPAM', 'spam ', 'because'],
  message: ['', ' \u00a0\u2003', '\u200B', '\u200D\uFE0F\u2060', 'x'.repeat(401), '💙'.repeat(401)],
};

/** Of endpoints whose parameter is not like that of others. */
const invalidValuesIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/auth/register': { reason: ['x'.repeat(501)] },
  '/drafts/reject': { reason: ['x'.repeat(501)] },
  '/filters/add': { text: ['', ' ', '!?', 'x'.repeat(101), '!'.repeat(101)] },
  '/search/users': { query: ['', ' ', '!?', 'x'.repeat(101), 'a '.repeat(11), '三'.repeat(101)] },
  '/reports/create': { type: ['', 'media', 'POST', 'post '] },
};

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

const validValues: Record<string, string> = {
  id: '1',
  user_id: '1',
  item_id: '1',
  version: '1',
  type: 'post',
  text: 'hello',
  alt: 'A loom',
  scope: 'users',
  count: '1',
  page: '1',
  username: 'free_name',
  email: 'free@example.org',
  password: 'correct horse',
  first_name: 'Ada',
  last_name: 'Lovelace',
  message: 'hello',
  reason: 'spam',
  hashtag: 'tag',
  query: 'word',
  endpoint: 'https://push.example/1',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** Of endpoints whose required parameter is not like that of others. */
const validValuesIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/media/upload': { media: 'http://example.org/a.png' },
};

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let acct: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  acct = (await api.register('bad_values')).id;
});
afterAll(() => cleanup.disposeAsync());

function parametersOf(route: Route): string[] {
  return z.instanceof(z.ZodObject).parse(route.input).keyof().options.map(String);
}

function isOptionalIn({ input }: Route, parameter: string): boolean {
  const schema = z.instanceof(z.ZodObject).parse(input).shape[parameter];
  return z.safeParse(schema, undefined).success;
}

async function send(route: Route, method: string, values: Record<string, string>) {
  const encoded = new URLSearchParams(values).toString();
  return method === 'GET'
    ? await api.call(`GET ${route.path}?${encoded}`, { claims: { acct } })
    : await api.call(`POST ${route.path}`, {
        claims: { acct },
        body: encoded,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
}

const cases = Object.values(routesByName).flatMap((route) =>
  route.methods.flatMap((method) =>
    parametersOf(route).map((parameter) => [`${method} ${route.path}`, parameter, route, method] as const),
  ),
);

test('the table has values for every parameter of the contract', () => {
  const known = Object.keys(invalidValues);
  expect(cases.filter(([, parameter]) => !known.includes(parameter))).toEqual([]);
  expect(cases.length).toBeGreaterThan(15);
});

describe.each(cases)('%s %s', (_name, parameter, route, method) => {
  test('D42 malformed values: 400 that names it, nothing written', async () => {
    const before = [await api.db.prisma.account.count(), await api.db.prisma.post.count()];
    const others = Object.fromEntries(
      parametersOf(route)
        .filter((name) => name !== parameter)
        .flatMap((name) => Object.entries({ [name]: validValuesIn[route.path]?.[name] ?? validValues[name] }))
        .filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    // Where a parameter is optional, an empty value is no value (`input.test.ts`).
    const isOptional = isOptionalIn(route, parameter);
    const listed = invalidValuesIn[route.path]?.[parameter] ?? invalidValues[parameter] ?? [];
    const values = listed.filter((value) => !isOptional || value !== '');
    for (const value of values) {
      const { status, body } = await send(route, method, { ...others, [parameter]: value });
      expect([value, status, body.errors]).toEqual([value, 400, [expect.objectContaining({ parameter })]]);
      // In our words: neither a pattern nor the wording of the validation library.
      expect([value, body.errors[0].detail]).toEqual([value, expect.not.stringMatching(/\^|Invalid|received/)]);
    }
    expect([await api.db.prisma.account.count(), await api.db.prisma.post.count()]).toEqual(before);
  });
});

test('one problem lists all missing and invalid parameters', async () => {
  const { status, body } = await send(registerAccount, 'POST', { email: 'nonsense', password: '1' });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    { parameter: 'last_name', code: 'missing', detail: 'is required' },
    { parameter: 'first_name', code: 'missing', detail: 'is required' },
    { parameter: 'email', code: 'invalid', detail: 'must be an e-mail address' },
    { parameter: 'password', code: 'invalid', detail: 'must be at least 6 characters long' },
  ]);
});
