import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { sweepMutes } from '@linnet/social/mute/mute-store';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { registerThree } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
/** Ada mutes Ben; Cleo has nothing to do with it. */
let ada: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [ada, ben, cleo] = await registerThree(api);
});

const later = '2099-01-01T00:00:00+02:00';
const mutes = async (one: Person, other: Person, ends_at?: string) =>
  await one.post('/mutes/add', { id: other.id, ...(ends_at === undefined ? {} : { ends_at }) });

/** The total, and the ids. */
async function list(reader: Person, path: string) {
  const { body } = await reader.get(path);
  return [body.total, body.items.map(({ id }: { id: number }) => id)];
}

async function end(one: Person, other: Person): Promise<void> {
  await api.db.prisma.mute.updateMany({
    where: { muterId: one.id, mutedId: other.id },
    data: { endsAt: new Date(Date.now() - 1000) },
  });
}

test('lists muted accounts with the end of the mute, to the one that mutes; muting again replaces the end', async () => {
  expect((await mutes(ada, ben, later)).body).toEqual({ response: { muted: 1 } });
  await mutes(ada, cleo);
  const { body } = await ada.get('/mutes');
  expect([body.total, ...body.items.map(({ mute, viewer }: Record<string, unknown>) => [mute, viewer])]).toEqual([
    2,
    [undefined, expect.objectContaining({ muted: 1, blocking: 0 })],
    [
      { ends: 'Wed, Dec 31, 2098 10:00 PM', ends_at: '2098-12-31T22:00:00.000Z' },
      expect.objectContaining({ muted: 1 }),
    ],
  ]);
  await mutes(ada, ben);
  expect((await ada.get('/mutes')).body.items[1].mute).toBeUndefined();
  expect(await list(ben, '/mutes')).toEqual([0, []]);
  expect((await ben.get(`/users/show?id=${String(ada.id)}`)).body.viewer).toMatchObject({ muted: 0, blocked: 0 });
  expect((await ada.post('/mutes/delete', { id: ben.id })).body).toEqual({ response: { muted: 0 } });
  expect(await list(ada, '/mutes')).toEqual([1, [cleo.id]]);
});

test('refuses oneself and accounts that do not exist', async () => {
  expect((await mutes(ada, ada)).body.code).toBe('invalid-parameter');
  for (const path of ['/mutes/add', '/mutes/delete']) expect((await ada.post(path, { id: 1 })).status).toBe(404);
});

test('D131 hides posts and reposts from the feed and the public timeline of the muter only, with exact totals', async () => {
  const [bens, cleos] = [await ben.writes('by ben'), await cleo.writes('by cleo')];
  await Promise.all([ada.follows(ben), ada.follows(cleo), ben.reposts(cleos), cleo.reposts(bens)]);
  expect((await list(ada, '/feed'))[0]).toBe(4);
  await mutes(ada, ben);
  expect(await list(ada, '/feed')).toEqual([1, [cleos]]);
  const timeline = async (person: Person) => (await list(person, '/timeline/public'))[1] as number[];
  expect([(await timeline(ada)).includes(bens), (await timeline(ada)).includes(cleos)]).toEqual([false, true]);
  expect((await timeline(ben)).includes(bens)).toBe(true);
  const { total, items } = (await ada.get('/timeline/public')).body;
  expect(items).toHaveLength(total);

  // Nothing else changes.
  expect((await list(ada, `/post?user_id=${String(ben.id)}`))[0]).toBe(2);
  expect((await list(ada, `/users/followers?id=${String(ben.id)}`))[1]).toEqual([ada.id]);
  expect((await ada.get(`/post/show?id=${String(bens)}`)).status).toBe(200);
  expect((await ben.likes(await ada.writes('by ada'))).status).toBe(200);
});

test('ends at its time, and its row is deleted then', async () => {
  const bens = await ben.writes('by ben');
  await ada.follows(ben);
  await mutes(ada, ben, later);
  expect(await list(ada, '/feed')).toEqual([0, []]);
  await end(ada, ben);
  expect(await list(ada, '/feed')).toEqual([1, [bens]]);
  expect(await list(ada, '/mutes')).toEqual([0, []]);
  expect((await ada.get(`/users/show?id=${String(ben.id)}`)).body.viewer.muted).toBe(0);
  await mutes(ada, cleo, later);
  await sweepMutes(api.db);
  const rows = await api.db.prisma.mute.findMany({ where: { muterId: ada.id } });
  expect(rows.map(({ mutedId }) => Number(mutedId))).toEqual([cleo.id]);
});
