import { timelines } from '../support/api/timelines.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { compareFeeds, connect } from './timeline-comparison.ts';
import type { Random, Uses } from './timeline-comparison.ts';
import { createRandom, createTimelineWorld, findReaders } from './timeline-world.ts';
import type { TimelineWorld } from './timeline-world.ts';

/**
 * A feed is the same whether it is read from a timeline or computed, in every snapshot: while people post, hide and delete, and while
 * timelines are built and changes applied. A failure names its seed: MODEL_SEED=<seed> repeats the choices. MODEL_SECONDS runs it for that long.
 */

const seconds = process.env['MODEL_SECONDS'];
const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
const usualActs = 150;
/** Feeds that are read from timelines in the meantime. */
const fewestReads = 20;
const writers = 3;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

/** Compares; if there is no timeline, builds it and compares again, as the next read would find it. */
async function compareAny(
  client: pg.Client,
  people: readonly number[],
  { random, uses }: { readonly random: Random; readonly uses: Uses },
): Promise<void> {
  const reading = { readerId: people[random(people.length)] ?? 0, random, uses, seed };
  if ((await compareFeeds(client, reading)) !== 'missing') return;
  await timelines.build(database.db, reading.readerId);
  await compareFeeds(client, reading);
}

/** The changes that may wait before people pause: with too many, all feeds would be computed. */
const maxWaiting = 40;

/** Acts, builds, applies and compares at the same time. Returns how the feeds were read. */
async function live(world: TimelineWorld, client: pg.Client, acts: number): Promise<Uses> {
  const uses: Uses = new Map();
  const endsAt = seconds === undefined ? Infinity : performance.now() + (1000 * Number(seconds)) / 3;
  let done = 0;
  let sinceApplied = 0;
  let hasFailed = false;
  const paused: (() => void)[] = [];
  const resume = () => {
    sinceApplied = 0;
    for (const go of paused.splice(0)) go();
  };
  const hasReadEnough = () => done >= acts && (uses.get('read') ?? 0) >= fewestReads;
  const isOver = () => hasFailed || (seconds === undefined ? hasReadEnough() : performance.now() > endsAt);
  const repeat = async (from: number, work: (random: Random) => Promise<void>) => {
    const random = createRandom(seed + from);
    try {
      while (!isOver()) await work(random);
    } finally {
      hasFailed ||= !isOver();
      resume();
    }
  };
  const writer = async (random: Random) => {
    await world.act(random);
    done += 1;
    sinceApplied += 1;
    if (sinceApplied > maxWaiting && !isOver()) await new Promise<void>((go) => paused.push(go));
  };
  await Promise.all([
    ...Array.from({ length: writers }, async (_, index) => await repeat(index, writer)),
    repeat(10, async () => {
      await world.apply();
      resume();
    }),
    repeat(11, async (random) => await timelines.build(database.db, world.people[random(world.people.length)] ?? 0)),
    repeat(12, async (random) => await compareAny(client, world.people, { random, uses })),
  ]);
  return uses;
}

async function isDue(client: pg.Client): Promise<boolean> {
  return (await client.query(`SELECT ${timelines.isDue} AS due`)).rows[0].due;
}

test.each([
  ['few posts, of all followers at once', { people: 8, posts: 30, part: 1000 }],
  ['more posts than a feed lists, of five followers at a time', { people: 12, posts: 3150, part: 5 }],
  ['more posts than a timeline holds, of seven followers at a time', { people: 12, posts: 3400, part: 7 }],
] as const)('D173 the written feed is the computed one: %s', async (_, options) => {
  const world = await createTimelineWorld(database.db, options);
  await world.apply();
  await using cleanup = new AsyncDisposableStack();
  const client = await connect(database.url);
  cleanup.defer(async () => await client.end());
  for (const reader of world.people) await timelines.build(database.db, reader);
  const uses = await live(world, client, usualActs);
  expect(uses.get('read')).toBeGreaterThanOrEqual(fewestReads);
  // At rest, all timelines that are left agree, and can be built again.
  const random = createRandom(seed);
  await world.apply();
  expect(await isDue(client)).toBe(false);
  for (let round = 0; round < 20; round += 1) await compareAny(client, world.people, { random, uses });
  const readers = await findReaders(database.db, world);
  for (const reader of readers) await timelines.build(database.db, reader);
  const atRest: Uses = new Map();
  for (let round = 0; round < 20; round += 1) await compareAny(client, readers, { random, uses: atRest });
  // A mute that ends makes its timeline a missing one.
  expect([...atRest.keys()].filter((use) => use !== 'read' && use !== 'missing')).toEqual([]);
  expect(atRest.get('read')).toBeGreaterThan(10);
});
