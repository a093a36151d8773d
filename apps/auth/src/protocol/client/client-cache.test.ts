import { defaultSettings } from '@linnet/applications/settings/protocol-settings';
import { expect, test } from 'vitest';

import { cacheClients } from './client-cache.ts';
import type { Registration } from './client-store.ts';

const known: Registration = {
  clientId: 'app_known_application',
  name: 'Known',
  owner: 'somebody',
  protocol: defaultSettings('confidential'),
  type: 'confidential',
  optionalScopes: [],
  scopeReasons: {},
  scopes: ['users'],
  redirectUris: [],
  secrets: [],
  links: { website: undefined, terms: undefined, privacy: undefined },
  logo: undefined,
  epoch: 0,
  jwksUri: null,
  jwks: null,
  ownerId: 1,
  actingGrant: null,
  additionalRedirectUris: [],
  isAdminAllowed: false,
  hasTestPeople: false,
};

/** A lookup that records the ids it is called with. */
function createRecordingFind(answer: () => Promise<Registration | undefined>) {
  const asked: string[] = [];
  const find = async (clientId: string) => {
    asked.push(clientId);
    return await answer();
  };
  return { asked, find };
}

test('an application is looked up once every 0.9 seconds', async () => {
  let now = 1;
  const { asked, find } = createRecordingFind(async () => known);
  const { find: findClient } = cacheClients(find, () => now);
  expect(await findClient(known.clientId)).toBe(known);
  now += 499;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(1);
  now += 402;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('an application in use is looked up again before it expires, and no request waits for that', async () => {
  let now = 1;
  const answers = [Promise.resolve(known), new Promise<Registration>(() => undefined)];
  const { asked, find } = createRecordingFind(async () => await answers.shift());
  const cache = cacheClients(find, () => now);
  await cache.find(known.clientId);
  now += 501;
  expect([cache.peek(known.clientId), await cache.find(known.clientId)]).toEqual([known, known]);
  expect(asked).toHaveLength(2);
  now += 398;
  expect(cache.peek(known.clientId)).toBe(known);
  now += 2;
  expect(cache.peek(known.clientId)).toBeUndefined();
});

test('all applications in use are looked up again with the first of them that is due, and no others', async () => {
  let now = 1;
  const ids = ['app_first_application', 'app_second_application', 'app_idle_application'] as const;
  const { asked, find } = createRecordingFind(async () => known);
  const cache = cacheClients(find, () => now);
  for (const id of ids) {
    await cache.find(id);
    now += 100;
  }
  cache.peek(ids[1]);
  now += 250;
  cache.peek(ids[0]);
  expect(asked.slice(ids.length)).toEqual([ids[1], ids[0]]);
});

test('what is looked up again replaces what was cached, for another 0.9 seconds', async () => {
  let now = 1;
  const answers: (Registration | undefined)[] = [known, { ...known, name: 'Renamed' }, undefined];
  const { find } = createRecordingFind(async () => answers.shift());
  const cache = cacheClients(find, () => now);
  await cache.find(known.clientId);
  now += 600;
  cache.peek(known.clientId);
  await expect.poll(() => cache.peek(known.clientId)?.name).toBe('Renamed');
  now += 800;
  expect(cache.peek(known.clientId)?.name).toBe('Renamed');
  await expect.poll(() => cache.peek(known.clientId)).toBeUndefined();
});

test('a failed lookup of what is cached changes nothing', async () => {
  let now = 1;
  const answers = [Promise.resolve(known), Promise.reject(new Error('down')), Promise.resolve(known)];
  const { asked, find } = createRecordingFind(async () => await answers.shift());
  const cache = cacheClients(find, () => now);
  await cache.find(known.clientId);
  now += 600;
  expect(cache.peek(known.clientId)).toBe(known);
  await expect.poll(() => [cache.peek(known.clientId), asked.length]).toEqual([known, 3]);
});

test('parallel requests for an application, known or not, share one lookup', async () => {
  for (const answer of [known, undefined]) {
    const { asked, find } = createRecordingFind(async () => answer);
    const { find: findClient } = cacheClients(find);
    const found = await Promise.all(Array.from({ length: 50 }, () => findClient(known.clientId)));
    expect(new Set(found)).toEqual(new Set([answer]));
    expect(asked).toHaveLength(1);
  }
});

test('an unknown id is not cached, so that a new application is found at once', async () => {
  const rows: Registration[] = [];
  const { asked, find } = createRecordingFind(async () => rows[0]);
  const { find: findClient } = cacheClients(find);
  expect(await findClient(known.clientId)).toBeUndefined();
  rows.push(known);
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('a failed lookup rejects all requests that share it, and the next request retries it', async () => {
  let isDown = true;
  const { asked, find } = createRecordingFind(async () => {
    if (isDown) throw new Error('down');
    return known;
  });
  const { find: findClient } = cacheClients(find);
  const outcomes = await Promise.allSettled([findClient(known.clientId), findClient(known.clientId)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await findClient(known.clientId)).toBe(known);
  expect(asked).toHaveLength(2);
});

test('a malformed client id is not looked up', async () => {
  const { asked, find } = createRecordingFind(async () => known);
  expect(await cacheClients(find).find('app_with_a\0_in_it_____')).toBeUndefined();
  expect(asked).toEqual([]);
});

test('the cache is limited to 1000 applications', async () => {
  const { asked, find } = createRecordingFind(async () => known);
  const { find: findClient } = cacheClients(find);
  const ids = Array.from({ length: 1001 }, (_, index) => `app_${String(index).padStart(16, '0')}`);
  for (const id of ids) await findClient(id);
  await findClient(ids[0] ?? '');
  expect(asked).toHaveLength(1002);
});

test('forgetting an application takes effect at once', async () => {
  let row: Registration | undefined = known;
  const cache = cacheClients(async () => row);
  expect(await cache.find(known.clientId)).toBe(known);
  row = { ...known, name: 'Renamed' };
  cache.forget(known.clientId);
  expect(await cache.find(known.clientId)).toBe(row);
  row = undefined;
  cache.forget(known.clientId);
  expect(await cache.find(known.clientId)).toBeUndefined();
});

test('a lookup that began before a change is not cached after it', async () => {
  const answers = [Promise.withResolvers<Registration>(), Promise.withResolvers<Registration>()];
  let asked = -1;
  const cache = cacheClients(async () => {
    asked += 1;
    return await answers[asked]?.promise;
  });
  const renamed = { ...known, name: 'Renamed' };
  const before = cache.find(known.clientId);
  cache.forget(known.clientId);
  const after = cache.find(known.clientId);
  answers[0]?.resolve(known);
  expect(await before).toBe(known);
  expect(asked).toBe(1);
  answers[1]?.resolve(renamed);
  expect(await after).toBe(renamed);
  expect(await cache.find(known.clientId)).toBe(renamed);
  expect(asked).toBe(1);
});

test('a reload finds what another process changed, and caches it', async () => {
  let row: Registration | undefined = known;
  const { asked, find } = createRecordingFind(async () => row);
  const cache = cacheClients(find);
  await cache.find(known.clientId);
  row = { ...known, name: 'Renamed' };
  expect(await cache.find(known.clientId)).toBe(known);
  expect(await cache.reload(known.clientId)).toBe(row);
  expect(await cache.find(known.clientId)).toBe(row);
  expect(asked).toHaveLength(2);
  row = undefined;
  expect(await cache.reload(known.clientId)).toBeUndefined();
  expect(await cache.find(known.clientId)).toBeUndefined();
});

test('a change in the feed drops the application, its acting grant and the account it acts as from the cache', async () => {
  const acting = { ...known, actingGrant: { id: 'grant-1', epoch: 0, accountId: 7, accountEpoch: 0 } };
  for (const [kind, id, lookups] of [
    ['client', known.clientId, 2],
    ['grant', 'grant-1', 2],
    ['account', '7', 2],
    ['account', '8', 1],
    ['grant', 'grant-2', 1],
    ['token', known.clientId, 1],
  ] as const) {
    const { asked, find } = createRecordingFind(async () => acting);
    const cache = cacheClients(find);
    await cache.find(known.clientId);
    cache.applyChange({ kind, id });
    await cache.find(known.clientId);
    expect(asked, `${kind} ${id}`).toHaveLength(lookups);
  }
});
