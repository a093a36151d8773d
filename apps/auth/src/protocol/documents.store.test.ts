import { rotateSigningKeys } from '@linnet/keys/key-changes-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { openDocuments } from './request/routes.ts';

const cleanup = new AsyncDisposableStack();
/** The same database, with the direct path and without. */
let direct: RunningAuth;
let complete: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  direct = cleanup.use(await startAuth(database.url, { directPath: true }));
  complete = cleanup.use(await startAuth(database.url, { directPath: false, owner: 'owner_of_complete' }));
});
afterAll(() => cleanup.disposeAsync());

const changing = /^(?:x-request-id|date)$/i;

function describeAnswer({ status, rawHeaders, text }: Answer): object {
  return { status, text, headers: rawHeaders.filter((_, index) => !changing.test(rawHeaders[index - 1] ?? '')) };
}

const wasDirect = ({ log }: RunningAuth, { headers }: Answer) =>
  log.some((line) => line.includes('answered directly') && line.includes(String(headers['x-request-id'])));

describe.each([...openDocuments])('%s', (path) => {
  test('is answered directly once it was sent, and stays the same', async () => {
    const first = await direct.send({ path });
    const second = await direct.send({ path });
    expect([wasDirect(direct, first), wasDirect(direct, second)]).toEqual([false, true]);
    expect(describeAnswer(second)).toEqual(describeAnswer(first));
    expect(describeAnswer(second)).toEqual(describeAnswer(await complete.send({ path })));
  });

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['another origin', { headers: { origin: 'https://app.example' } }],
    ['the origin null', { headers: { origin: 'null' } }],
    ['another host', { headers: { host: 'other.example' } }],
    ['a query', { path: `${path}?a=1` }],
    ['a method that is not allowed', { method: 'POST' }],
    ['an ETag of another version', { headers: { 'if-none-match': '"other"' } }],
  ])('gets the same response with and without the direct path: %s', async (_case, request) => {
    await direct.send({ path });
    const sent = { path, ...request };
    expect(describeAnswer(await direct.send(sent))).toEqual(describeAnswer(await complete.send(sent)));
  });

  test('has an ETag, with which a client that has it gets 304', async () => {
    for (const server of [direct, complete]) {
      const { headers } = await server.send({ path });
      const again = await server.send({ path, headers: { 'if-none-match': String(headers.etag) } });
      expect(again).toMatchObject({ status: 304, text: '' });
    }
  });
});

test('a new key appears in the document that is answered directly', async () => {
  const path = '/oauth/jwks';
  const keysOf = async () => (await direct.send({ path })).json.keys.map(({ kid }) => kid);
  const before = await keysOf();
  await rotateSigningKeys(direct.db, secretKeys);
  await expect.poll(async () => (await keysOf()).filter((kid) => !before.includes(kid))).not.toEqual([]);
  expect(wasDirect(direct, await direct.send({ path }))).toBe(true);
});
