import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let ada: Person;
let people: Readonly<Record<string, Person>>;

const names = ['one', 'two', 'both', 'single', 'popular', 'author', 'silent', 'followed', 'asked', 'muted'];
const hidden = ['blocked', 'blocking', 'deleted', 'suspended'];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  ada = await registerPerson(api, 'suggest_ada');
  const created = [...names, ...hidden].map(
    async (name) => [name, await registerPerson(api, `suggest_${name}`)] as const,
  );
  people = Object.fromEntries(await Promise.all(created));
  for (const name of ['one', 'two', 'followed']) await ada.follows(person(name));
  const candidates = [...names, ...hidden].filter(
    (name) => !['one', 'two', 'popular', 'author', 'silent'].includes(name),
  );
  for (const name of candidates) await person('one').follows(person(name));
  for (const name of ['both', 'followed']) await person('two').follows(person(name));
  for (const name of ['one', 'popular', 'author', ...hidden]) await person(name).writes('hello');
  for (const name of ['silent', 'asked', 'muted']) await person(name).follows(person('popular'));
  await setProtected(api, person('asked'), true);
  await ada.follows(person('asked'));
  await ada.post('/mutes/add', { id: person('muted').id });
  await ada.post('/blocks/add', { id: person('blocking').id });
  await person('blocked').post('/blocks/add', { id: ada.id });
  const { account } = api.db.prisma;
  await account.update({ where: { id: person('deleted').id }, data: { deletedAt: new Date() } });
  await account.update({ where: { id: person('suspended').id }, data: { suspendedAt: new Date() } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function person(name: string): Person {
  const found = people[name];
  if (found === undefined) throw new RangeError(`nobody is called ${name}`);
  return found;
}

async function suggested(reader: Person, count = 100): Promise<readonly unknown[]> {
  const { status, body } = await reader.get(`/users/suggested?count=${String(count)}`);
  expect([status, body.total, body.count]).toEqual([200, body.items.length, body.items.length]);
  return body.items.map(({ username, suggestion }: { username: string; suggestion: object }) => [
    username.replace('suggest_', ''),
    ...Object.values(suggestion),
  ]);
}

test('D137 accounts that several followed accounts follow come first, then popular authors; nobody whom the reader has dealt with', async () => {
  const all = [
    ['both', 'followed', 2],
    ['single', 'followed', 1],
    ['popular', 'popular', 0],
    ['author', 'popular', 0],
  ];
  expect(await suggested(ada)).toEqual(all);
  expect(await suggested(ada, 3)).toEqual(all.slice(0, 3));
});

test('an account is gone from the suggestions once it is followed, and somebody who follows nobody gets popular authors', async () => {
  const tom = await registerPerson(api, 'suggest_tom');
  const before = await suggested(tom);
  expect(before[0]).toEqual(['popular', 'popular', 0]);
  expect(before).not.toContainEqual(['silent', 'popular', 0]);
  await tom.follows(person('popular'));
  expect(await suggested(tom)).toEqual(before.slice(1));
});

test('among many followed accounts, those followed last count, whatever their ids are', async () => {
  const eve = await registerPerson(api, 'suggest_eve');
  await api.db.prisma.$executeRaw`
    WITH crowd AS (
      INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
      SELECT 'crowd_' || n, 'crowd_' || n, n || '@crowd.example', n || '@crowd.example', '-', 'A', 'B', 'A B'
      FROM generate_series(1, 100) n RETURNING id
    ) INSERT INTO follow (follower_id, followed_id) SELECT ${eve.id}, id FROM crowd`;
  await eve.follows(person('two'));
  expect(await suggested(eve)).toContainEqual(['both', 'followed', 1]);
});
