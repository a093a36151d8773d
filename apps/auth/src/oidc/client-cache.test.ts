import { expect, test } from 'vitest';

import { cacheClients } from './client-cache.ts';
import type { Registration } from './client-store.ts';

const known: Registration = {
  clientId: 'app_known_application',
  name: 'Known',
  owner: 'somebody',
  implicit: false,
  type: 'confidential',
  scopes: ['users'],
  redirectUris: [],
  secrets: [],
  actingGrant: null,
};

/** A database that counts what it is asked. */
function countingFind(answer: () => Promise<Registration | undefined>) {
  const asked: string[] = [];
  const find = async (clientId: string) => {
    asked.push(clientId);
    return await answer();
  };
  return { asked, find };
}

test('an application is looked up once in five seconds', async () => {
  let now = 1;
  const { asked, find } = countingFind(async () => known);
  const findClient = cacheClients(find, () => now);
  expect(await findClient(known.clientId)).toBe(known);
  now += 4999;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(1);
  now += 2;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('who asks for the same application at the same time shares one look-up, known or not', async () => {
  for (const answer of [known, undefined]) {
    const { asked, find } = countingFind(async () => answer);
    const findClient = cacheClients(find);
    const found = await Promise.all(Array.from({ length: 50 }, () => findClient(known.clientId)));
    expect(new Set(found)).toEqual(new Set([answer]));
    expect(asked).toHaveLength(1);
  }
});

test('an unknown id is not remembered: the application may be made in the next moment', async () => {
  const rows: Registration[] = [];
  const { asked, find } = countingFind(async () => rows[0]);
  const findClient = cacheClients(find);
  expect(await findClient(known.clientId)).toBeUndefined();
  rows.push(known);
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('a failed look-up fails for all who share it, and is tried again afterwards', async () => {
  let isDown = true;
  const { asked, find } = countingFind(async () => {
    if (isDown) throw new Error('down');
    return known;
  });
  const findClient = cacheClients(find);
  const outcomes = await Promise.allSettled([findClient(known.clientId), findClient(known.clientId)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('what cannot be a client id is not looked up', async () => {
  const { asked, find } = countingFind(async () => known);
  expect(await cacheClients(find)('app_with_a\0_in_it_____')).toBeUndefined();
  expect(asked).toEqual([]);
});

test('the number of remembered applications is bounded', async () => {
  const { asked, find } = countingFind(async () => known);
  const findClient = cacheClients(find);
  const ids = Array.from({ length: 1001 }, (_, index) => `app_${String(index).padStart(16, '0')}`);
  for (const id of ids) await findClient(id);
  await findClient(ids[0] ?? '');
  expect(asked).toHaveLength(1002);
});
