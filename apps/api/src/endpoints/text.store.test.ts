import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';

import { routesByName } from '@linnet/contract/routes';
import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** R18: accepted text is returned byte for byte; text that cannot be stored is rejected (D29b; Details 5). */
const naughty = [
  'e\u0301 is not é, \u212b is not Å nor A\u030a',
  '\u1112\u1161\u11ab 한',
  'a\r\n\tb\u000b\u000c\u0085c\u2028d\u2029e',
  '\u0001\u0002\u001b[31m\u007f\u009f',
  'zero\u200bwidth\u200djoiner\u00adhyphen\u2060word\ufeffmark',
  '\u202eright to left\u202c \u2066isolate\u2069 \u200frtl',
  '👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 ☺️ ☺',
  '𝒳 \u{1f600} \u{10ffff} \u{e0001}\u{e0041}',
  '\ufffd \ufffe \uffff \ue000',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '﷽ ͥ \u0488\u0489 ﬃ ß ẞ ǆ İ ı ſ ς',
  '<script>alert(1)</script> <img src=x onerror=alert(1)> &lt;&amp;&#39;',
  "'; DROP TABLE post; -- \" \\ \\' %s %n {{7*7}} ${7*7}",
  '%00 %0a %ff + %2B \\u0000 \\x00 \\0',
  '\\ \\\\ / // ../../etc/passwd C:\\con',
  'null undefined NaN true [object Object] __proto__ constructor -0 1e999',
  '0x10 007 1,000 ١٢٣ Ⅳ ½ ²',
  '{"message":"nested"} [1] key=value&message=other#fragment',
  'الكتابة بالعربية עברית ไทย हिन्दी 日本語 ελληνικά',
  "`~!@#$%^&*()_+-=[]{}|;:',.<>?",
];

let database: TestDatabase;
let api: RunningApi;
let person: Person;
let post: number;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  person = await registerPerson(api, 'writer_of_texts');
  post = await person.writes('to be commented');
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Sends the values in every supported form of a request. */
async function sendAll(path: string, values: Readonly<Record<string, string>>) {
  const claims = { acct: person.id };
  const encoded = new URLSearchParams(values).toString();
  const multipart = new FormData();
  for (const [name, value] of Object.entries(values)) multipart.set(name, value);
  return [
    await api.call(`POST ${path}`, { claims, headers: json, body: JSON.stringify(values) }),
    await api.call(`POST ${path}`, { claims, headers: form, body: encoded }),
    await api.call(`GET ${path}?${encoded}`, { claims }),
    await api.call(`POST ${path}`, { claims, body: multipart }),
  ];
}

/** Clients normalize line ends in multipart bodies (WHATWG HTML §4.10.21.8). */
const asMultipart = (text: string) => text.replaceAll(/\r\n|\r|\n/g, '\r\n');

test.each(naughty)('D29b a post and a comment can contain %j', async (text) => {
  const expected = [text, text, text, asMultipart(text)];
  const posts = await sendAll('/post/create', { message: `\n ${text}\u2003` });
  expect(posts.map(({ body }) => body.items?.text)).toEqual(expected);
  const shown = await person.get(`/post/show?id=${String(posts[0]?.body.items.id)}`);
  expect(shown.body.items.text).toBe(text);
  const comments = await sendAll('/comment/create', { item_id: String(post), type: 'post', text: `\t${text} ` });
  expect(comments.map(({ body }) => body.text)).toEqual(expected);
  const listed = await person.get(`/comment?item_id=${String(post)}&type=post&count=4`);
  expect(listed.body.items.map((item: { text: string }) => item.text).toReversed()).toEqual(expected);
});

/** By index: invisible characters, several lines, or scripts that are not mixed in names. */
const notAllowedAsName = new Set([2, 3, 4, 5, 7, 8, 9, 10, 18]);
const names = naughty.map((text, index) => [index, [...text].slice(0, 25).join('').trim()] as const);

async function register(index: number, name: string) {
  return await person.post('/auth/register', {
    first_name: name,
    last_name: `\u3000${name}`,
    email: `naughty_${String(index)}@example.org`,
    password: name.padEnd(6, '0'),
  });
}

test.each(names.filter(([index]) => !notAllowedAsName.has(index)))(
  'a person can have the name %s %j',
  async (index, name) => {
    const { status, body } = await register(index, name);
    expect([status, body.user?.name]).toEqual([200, { first_name: name, last_name: name }]);
    const shown = (await person.get(`/users/show?id=${String(body.user.id)}`)).body;
    expect([shown.name, shown.displayName]).toEqual([{ first_name: name, last_name: name }, `${name} ${name}`]);
  },
);

test.each(names.filter(([index]) => notAllowedAsName.has(index)))(
  'a person cannot have the name %s %j',
  async (index, name) => {
    const { status, body } = await register(index, name);
    expect([status, body.code]).toEqual([400, 'invalid-parameter']);
  },
);

const cases = Object.values(routesByName).flatMap((route) =>
  route.methods.flatMap((method) =>
    z
      .instanceof(z.ZodObject)
      .parse(route.input)
      .keyof()
      .options.map((name) => [method, route.path, name] as const),
  ),
);

describe.each(cases)('%s %s', (method, path, parameter) => {
  test(`rejects NUL, lone surrogates and invalid UTF-8 in ${parameter}: 400 that names it`, async () => {
    const claims = { acct: person.id };
    const problems =
      method === 'GET'
        ? await Promise.all(
            ['a%00b', '%00', '%ED%A0%80', '%ED%B0%80x', '%FF', '%C0%80', '%F8%88%80%80%80', '%', '%4'].map(
              async (value) => await api.call(`GET ${path}?${parameter}=${value}`, { claims }),
            ),
          )
        : await Promise.all(
            ['a\\u0000b', '\\u0000', '\\ud800', 'x\\udc00', '\\udc00\\ud800'].map(
              async (value) =>
                await api.call(`POST ${path}`, { claims, headers: json, body: `{"${parameter}":"${value}"}` }),
            ),
          );
    for (const { status, body } of problems) {
      expect([status, body.errors]).toEqual([400, expect.arrayContaining([expect.objectContaining({ parameter })])]);
    }
  });
});
