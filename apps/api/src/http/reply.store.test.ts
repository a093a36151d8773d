import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let apis: Readonly<Record<'direct' | 'complete', RunningApi>>;
let person: Person;
let post: number;

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const direct = cleanup.use(await startApi(database.url, { path: 'direct' }));
  apis = { direct, complete: cleanup.use(await startApi(database.url, { path: 'complete', signer: direct.signer })) };
  person = await registerPerson(direct, 'compressed');
  post = await person.writes('hello');
  for (let posts = 0; posts < 20; posts += 1) await person.writes(`größe 💙 ${'x'.repeat(300)}`);
});
afterAll(() => cleanup.disposeAsync());

describe.each(['direct', 'complete'] as const)('%s', (path) => {
  const call = async (target: string, headers: Readonly<Record<string, string>> = {}) =>
    await apis[path].call(target, { claims: { acct: person.id }, headers });
  const list = () => `/post?user_id=${String(person.id)}`;
  const show = () => `/post/show?id=${String(post)}`;

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=1.0', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['br; q=0, gzip;q=0.000', undefined],
    ['deflate, zstd', undefined],
    ['', undefined],
    [';q=x,,', undefined],
  ])('Accept-Encoding: %s gets %s, with the same content', async (accepted, encoding) => {
    for (const target of [list(), '/feed?count=9']) {
      const plain = await call(`GET ${target}`);
      const { status, headers, text } = await call(`GET ${target}`, { 'accept-encoding': accepted });
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'Accept-Encoding']);
      expect(text).toBe(plain.text);
      const isShorter = Number(headers['content-length']) < Buffer.byteLength(text);
      expect(isShorter).toBe(encoding !== undefined);
    }
  });

  test('responses of single objects, checks and problems are not compressed', async () => {
    for (const target of ['/users/show', `/likes/is_liked?item_id=${String(post)}&type=post`, '/post/show?id=1']) {
      const { headers } = await call(`GET ${target}`, { 'accept-encoding': 'br, gzip' });
      expect(headers.vary).not.toBe('Accept-Encoding');
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  test('a client that has the current version of an object gets 304 without a body', async () => {
    for (const target of [show(), '/users/show', `/users/show?id=${String(person.id)}`]) {
      const { headers } = await call(`GET ${target}`);
      const version = String(headers.etag);
      expect(version).toMatch(/^W\/"[\w-]{27}"$/);
      for (const known of [version, version.slice(2), '*', `"other", ${version}`]) {
        const seen = await call(`GET ${target}`, { 'if-none-match': known, 'accept-encoding': 'br' });
        expect([known, seen.status, seen.text, seen.headers.etag]).toEqual([known, 304, '', version]);
        expect([seen.headers['content-type'], seen.headers['content-encoding']]).toEqual([undefined, undefined]);
      }
      const head = await call(`HEAD ${target}`, { 'if-none-match': version });
      expect(head.status).toBe(304);
      const compressed = await call(`GET ${target}`, { 'if-none-match': '"other"', 'accept-encoding': 'gzip' });
      expect([compressed.status, compressed.headers.etag]).toEqual([200, version]);
    }
  });

  test('every change of an object is a new version, also for who reads it', async () => {
    const { headers } = await call(`GET ${show()}`);
    const known = { 'if-none-match': String(headers.etag) };
    await person.likes(post);
    expect((await call(`GET ${show()}`, known)).body.items.action.likes).toBe(1);
    await person.unlikes(post);
    expect((await call(`GET ${show()}`, known)).status).toBe(304);
  });

  test('lists, checks and writes have no version', async () => {
    const targets = [`GET ${list()}`, `GET /users/is?id=${String(post)}`, 'GET /post/create?message=hello'];
    for (const target of targets) {
      const { status, headers } = await call(target, { 'if-none-match': '*' });
      expect([target, status, headers.etag]).toEqual([target, 200, undefined]);
    }
  });
});
