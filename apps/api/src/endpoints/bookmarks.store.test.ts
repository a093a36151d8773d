import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { findCounterMismatches } from '@linnet/test/db/counters';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let reader: Person;
let author: Person;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  [reader, author] = [await registerPerson(api, 'keeper'), await registerPerson(api, 'kept_author')];
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const item = (id: number) => ({ item_id: id, type: 'post' });
const add = async (id: number, who = reader) => await who.post('/bookmarks/add', item(id));
const remove = async (id: number, who = reader) => await who.post('/bookmarks/delete', item(id));
const listed = async (who = reader): Promise<number[]> =>
  (await who.get('/bookmarks')).body.items.map(({ id }: { id: number }) => id);

test('D129 adding and removing, also twice and at the same time, leaves one bookmark and then none', async () => {
  const [first, second] = [await author.writes('first'), await author.writes('second')];
  const added = await Promise.all([add(first), add(first), add(first)]);
  expect(added.map(({ body }) => body)).toEqual(added.map(() => ({ response: { bookmarked: 1 } })));
  await add(second);
  expect(await listed()).toEqual([second, first]);
  for (let time = 0; time < 2; time += 1) {
    expect((await remove(second)).body).toEqual({ response: { bookmarked: 0 } });
  }
  expect(await listed()).toEqual([first]);
  expect(await findCounterMismatches(api.db)).toEqual([]);
});

test('nobody else sees them: the post is the same for the author, and no list of others has them', async () => {
  const id = await author.writes('kept in secret');
  const shown = async () => JSON.stringify((await author.get(`/post/show?id=${String(id)}`)).body);
  const before = await shown();
  await add(id);
  expect([await shown(), await listed(author)]).toEqual([before, []]);
  expect((await api.call('GET /bookmarks')).body.code).toBe('user-context-required');
});

test('a post that became hidden is not listed, can be removed, and is found again by followers', async () => {
  const hidden = await registerPerson(api, 'kept_hidden');
  const id = await hidden.writes('only for followers');
  await add(id);
  await setProtected(api, hidden, true);
  expect((await listed()).includes(id)).toBe(false);
  expect((await add(id)).status).toBe(404);
  await reader.follows(hidden);
  await hidden.approves(reader);
  expect((await listed())[0]).toBe(id);
  await reader.unfollows(hidden);
  expect((await remove(id)).body).toEqual({ response: { bookmarked: 0 } });
  expect((await remove(id)).status).toBe(404);
});

test('the export has them, with the scope for posts alone; a cursor has every position', async () => {
  const id = await author.writes('exported');
  await add(id);
  const exported = async (scope: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const claims = { acct: reader.id, scope };
    return (await api.call('POST /account/export', { claims, body: JSON.stringify(body), headers })).body;
  };
  expect((await exported('users posts')).bookmarks).toContainEqual({ item_id: id });
  const narrow = await exported('users:read');
  expect([narrow.bookmarks, narrow.omitted.members.includes('bookmarks')]).toEqual([[], true]);
  const cursor = Buffer.from(JSON.stringify([1, 1, 1, 1, 1, 1, 1])).toString('base64url');
  expect((await exported('users posts', { cursor })).code).toBe('invalid-parameter');
});

test('they stay while a deleted account can be restored, and are erased with it', async () => {
  const leaver = await registerPerson(api, 'kept_leaver');
  const ids = [await author.writes('one'), await author.writes('two'), await author.writes('three')];
  for (const id of ids) await add(id, leaver);
  const accounts = createAccounts(api.db);
  const work = async () => await processDeletions({ db: api.db, accounts, eraseRegistrations, batchSize: 2 });
  const since = async (deletedAt: Date | null) =>
    await api.db.prisma.account.update({ where: { id: leaver.id }, data: { deletedAt } });
  const stored = async () => await api.db.prisma.bookmark.count({ where: { accountId: leaver.id } });
  await since(new Date());
  await work();
  await since(null);
  expect(await stored()).toBe(3);
  await since(new Date(Date.now() - 15 * 86_400_000));
  await work();
  expect(await stored()).toBe(0);
  expect(await findCounterMismatches(api.db)).toEqual([]);
});
