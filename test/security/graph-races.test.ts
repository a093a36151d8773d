import { findCounterMismatches } from '../support/db/counters.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '../support/api/people.ts';
import type { Person, Sent } from '../support/api/people.ts';
import { startApi } from '../support/api/running-api.ts';
import type { RunningApi } from '../support/api/running-api.ts';

/** R7: after concurrent actions, counters equal rows, and no response is 5xx. `pnpm test:long` runs 100 rounds. */

const rounds = Math.ceil(Number(process.env['RACE_ROUNDS'] ?? 30) / 10);
const timeout = 300_000 + rounds * 10_000;
const parallel = 120;

let database: TestDatabase;
let api: RunningApi;
let people: Person[];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  people = [];
  for (let index = 0; index < 30; index += 1) people.push(await registerPerson(api, `racer_${String(index)}`));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function pick<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

function expectNoServerError(responses: readonly Sent[]): void {
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
}

async function expectExactCounters(): Promise<void> {
  expect(await findCounterMismatches(api.db)).toEqual([]);
}

async function repeat(work: () => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await work();
}

async function followStateOf(follower: Person, followed: Person): Promise<unknown> {
  return (await follower.get(`/follows/is_following?id=${String(followed.id)}`)).body.response;
}

test(`random concurrent actions keep counters exact, ${String(rounds)} rounds`, { timeout }, async () => {
  await repeat(async () => {
    const actors = people.slice(0, 10);
    const posts = await Promise.all(actors.slice(0, 4).map(async (person) => await person.writes('raced over')));
    const comments = await Promise.all(posts.map(async (post) => await pick(actors).comments(post)));
    const actions: ((person: Person) => Promise<Sent | void>)[] = [
      async (person) => await person.likes(pick(posts)),
      async (person) => await person.unlikes(pick(posts)),
      async (person) => await person.reposts(pick(posts)),
      async (person) => await person.unreposts(pick(posts)),
      async (person) => await person.post('/comment/create', { item_id: pick(posts), type: 'post', text: 'me too' }),
      async (person) => await person.post('/comment/delete', { id: pick(comments) }),
      async (person) => await person.post('/post/create', { message: 'another' }),
      async (person) => await person.post('/post/delete', { id: pick(posts) }),
      async (person) =>
        await person.post('/post/edit', {
          id: pick(posts),
          message: `${crypto.randomUUID()} @${pick(actors).username}`,
        }),
      async (person) => await person.follows(pick(actors)),
      async (person) => await person.unfollows(pick(actors)),
      async (person) => await person.approves(pick(actors)),
      async (person) => await person.post('/follows/requests/reject', { id: pick(actors).id }),
      async (person) => await person.post('/followers/delete', { id: pick(actors).id }),
      async (person) => await setProtected(api, person, Math.random() < 0.5),
    ];
    const responses = await Promise.all(
      Array.from({ length: parallel }, async () => await pick(actions)(pick(actors))),
    );
    expectNoServerError(responses.filter((response) => response !== undefined));
    await expectExactCounters();
  });
});

test('a post is deleted during likes, reposts and comments, which are deleted with it', { timeout }, async () => {
  await repeat(async () => {
    const author = pick(people);
    const post = await author.writes('about to be deleted');
    const responses = await Promise.all(
      people.flatMap((person, index) => [
        person.likes(post),
        person.reposts(post),
        person.post('/comment/create', { item_id: post, type: 'post', text: 'too late?' }),
        ...(index === 10 ? [author.post('/post/delete', { id: post })] : []),
      ]),
    );
    expect(responses.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    expect(await api.db.prisma.post.count({ where: { id: post } })).toBe(0);
    await expectExactCounters();
  });
});

test('concurrent deletions of a post and a comment succeed, and count, once', { timeout }, async () => {
  // The first ten have become protected at random, so others may not comment on their posts.
  const open = people.slice(10);
  await repeat(async () => {
    const author = pick(open);
    const post = await author.writes('deleted over and over');
    const writer = pick(open);
    const comment = await writer.comments(post);
    // The author of the post deletes the comment, too.
    const statuses = async (path: string, id: number, by: readonly [Person, Person]) =>
      (
        await Promise.all(Array.from({ length: 20 }, async (_, n) => await by[n % 2 === 0 ? 0 : 1].post(path, { id })))
      ).map(({ status }) => status);
    for (const deleted of [
      await statuses('/comment/delete', comment, [author, writer]),
      await statuses('/post/delete', post, [author, author]),
    ]) {
      expect(deleted.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    }
    await expectExactCounters();
  });
});

test('D25 a follow request is withdrawn while it is approved: no one follows', { timeout }, async () => {
  await repeat(async () => {
    const [owner, ...others] = people as [Person, ...Person[]];
    await setProtected(api, owner, true);
    await Promise.all(others.map(async (person) => await person.follows(owner)));
    const responses = await Promise.all(others.flatMap((person) => [owner.approves(person), person.unfollows(owner)]));
    expectNoServerError(responses);
    for (const person of others) expect(await followStateOf(person, owner)).toEqual({ following: 0, requested: 0 });
    await expectExactCounters();
  });
});

test(
  'D25 a follow request is repeated while it is approved: everyone follows, and no request remains',
  { timeout },
  async () => {
    await repeat(async () => {
      const [owner, ...others] = people as [Person, ...Person[]];
      await setProtected(api, owner, true);
      await Promise.all(others.map(async (person) => await person.unfollows(owner)));
      await Promise.all(others.map(async (person) => await person.follows(owner)));
      expectNoServerError(
        await Promise.all(
          others.flatMap((person) => [person.follows(owner), owner.approves(person), person.follows(owner)]),
        ),
      );
      for (const person of others) expect(await followStateOf(person, owner)).toEqual({ following: 1, requested: 0 });
      await expectExactCounters();
    });
  },
);

test(
  'D25 a follow request is sent while protection is turned off: everyone follows, and no request remains',
  { timeout },
  async () => {
    await repeat(async () => {
      const [owner, ...others] = people as [Person, ...Person[]];
      await setProtected(api, owner, true);
      await Promise.all(others.map(async (person) => await person.unfollows(owner)));
      const requests = others.map(async (person) => await person.follows(owner));
      await setProtected(api, owner, false);
      expectNoServerError(await Promise.all(requests));
      for (const person of others) expect(await followStateOf(person, owner)).toEqual({ following: 1, requested: 0 });
      await expectExactCounters();
    });
  },
);
