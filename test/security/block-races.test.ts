import { findCounterMismatches } from '../support/db/counters.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { deletionJob } from '../support/api/list-queries.ts';
import { registerPerson, setProtected } from '../support/api/people.ts';
import type { Person, Sent } from '../support/api/people.ts';
import { startApi } from '../support/api/running-api.ts';
import type { RunningApi } from '../support/api/running-api.ts';

/** A block against what it refuses and ends, at the same time. The usual run has 100 rounds. */

const rounds = Math.ceil(Number(process.env['RACE_ROUNDS'] ?? 30) / 3) * 10;
const pairs = 10;
const timeout = 300_000 + rounds * 1000;

let database: TestDatabase;
let api: RunningApi;
/** Each blocks the one at the same place of `others`. */
let people: Person[];
let others: Person[];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  const register = async (name: string) => {
    const registered: Person[] = [];
    for (let index = 0; index < pairs; index += 1) {
      registered.push(await registerPerson(api, `${name}_${String(index)}`));
    }
    return registered;
  };
  [people, others] = [await register('blocker'), await register('blocked')];
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const block = async (one: Person, other: Person) => await one.post('/blocks/add', { id: other.id });
const unblock = async (one: Person, other: Person) => await one.post('/blocks/delete', { id: other.id });

/** Runs `race` for all pairs at once, until there were enough rounds; and ends the blocks. */
async function repeat(
  race: (one: Person, other: Person) => Promise<readonly Sent[]>,
  after: (one: Person, other: Person) => Promise<void> = async () => {},
): Promise<void> {
  const matched = people.map((one, index) => [one, others[index] ?? one] as const);
  for (let round = 0; round < rounds / pairs; round += 1) {
    const sent = await Promise.all(matched.map(async ([one, other]) => await race(one, other)));
    expect(sent.flat().filter(({ status }) => status >= 500)).toEqual([]);
    expect(await findCounterMismatches(api.db)).toEqual([]);
    await Promise.all(matched.map(async ([one, other]) => await after(one, other)));
    await Promise.all(matched.map(async ([one, other]) => await unblock(one, other)));
  }
}

test('follows in both directions: none is left, whatever came first', { timeout }, async () => {
  await repeat(async (one, other) => await Promise.all([other.follows(one), block(one, other), one.follows(other)]));
  expect(await api.db.prisma.follow.count()).toBe(0);
});

test('a follow request and its approval: neither is left', { timeout }, async () => {
  for (const one of people) await setProtected(api, one, true);
  await repeat(async (one, other) => {
    await other.follows(one);
    return await Promise.all([one.approves(other), block(one, other), other.follows(one)]);
  });
  expect([await api.db.prisma.follow.count(), await api.db.prisma.followRequest.count()]).toEqual([0, 0]);
  for (const one of people) await setProtected(api, one, false);
});

test('both block each other', { timeout }, async () => {
  await repeat(
    async (one, other) => await Promise.all([block(one, other), block(other, one), one.follows(other)]),
    async (one, other) => void (await unblock(other, one)),
  );
  expect([await api.db.prisma.follow.count(), await api.db.prisma.block.count()]).toEqual([0, 0]);
});

test('likes, reposts and comments: refused once the block is answered, and counted exactly', { timeout }, async () => {
  const posts = new Map<Person, number>();
  for (const one of people) posts.set(one, await one.writes('raced over'));
  await repeat(
    async (one, other) => {
      const post = posts.get(one) ?? 0;
      return await Promise.all([
        ...[other.likes(post), other.reposts(post), block(one, other), other.unlikes(post)],
        other.post('/comment/create', { item_id: post, type: 'post', text: 'too late?' }),
      ]);
    },
    async (one, other) => {
      const post = posts.get(one) ?? 0;
      const late = [
        await other.likes(post),
        await other.reposts(post),
        await other.get(`/post/show?id=${String(post)}`),
      ];
      expect(late.map(({ status }) => status)).toEqual([404, 404, 404]);
    },
  );
});

test('an account is restored while it is blocked: its follows of the two do not come back', { timeout }, async () => {
  const work = async () => await deletionJob(api.db, api.db);
  const [one, other, ...friends] = people as [Person, Person, ...Person[]];
  for (let round = 0; round < rounds / 25; round += 1) {
    await Promise.all([
      one.follows(other),
      other.follows(one),
      ...friends.map(async (friend) => await friend.follows(one)),
    ]);
    await api.db.prisma.account.update({ where: { id: one.id }, data: { deletedAt: new Date() } });
    await work();
    await api.db.prisma.account.update({ where: { id: one.id }, data: { deletedAt: null } });
    const [, blocked] = await Promise.all([work(), block(other, one)]);
    expect(blocked.status).toBe(200);
    await work();
    const follows = await api.db.prisma.follow.findMany({ where: { followedId: one.id } });
    expect([follows.length, await api.db.prisma.follow.count({ where: { followerId: one.id } })]).toEqual([
      friends.length,
      0,
    ]);
    expect(await findCounterMismatches(api.db)).toEqual([]);
    await unblock(other, one);
  }
});
