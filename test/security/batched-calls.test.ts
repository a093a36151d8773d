import { lookups, writes } from '../support/api/list-queries.ts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { insertAccount } from '../support/db/insert-account.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/**
 * Random concurrent reads and writes, whose calls share statements, compared with the same calls one by one. A failure
 * prints its seed: MODEL_SEED=<seed> repeats it. `pnpm test:long` runs 1,000 rounds.
 */

const rounds = Number(process.env['RACE_ROUNDS'] ?? 10);
const seed = process.env['MODEL_SEED'];

let database: TestDatabase;
/** Sends the calls that share statements. */
let batching: Db;
const batches = new Set<string>();
/** Of the worlds so far. All numbers have as many digits, so that texts with usernames are of the same length. */
let worlds = 1_000_000;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const onStatement = (text: string) => void (text.includes('AS batch(') && batches.add(text));
  batching = openDatabase({ url: database.url, poolSize: 10, prepare: true, onStatement });
});
afterAll(async () => {
  await batching[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Accounts and posts. Two worlds have the same ones under other ids. */
interface World {
  readonly db: Queryable;
  readonly accounts: readonly number[];
  readonly usernames: readonly string[];
  readonly posts: readonly number[];
}

const people = 6;
/** The first account follows it. */
const protectedAccount = 4;
const deletedAccount = 5;

async function execute(text: string, ...params: readonly unknown[]): Promise<void> {
  await database.db.query({ name: `test_${text.replaceAll(/\W+/g, '_').slice(0, 50)}`, text }, params);
}

async function createWorld(db: Queryable): Promise<World> {
  worlds += 1;
  const usernames = Array.from({ length: people }, (_, index) => `w${String(worlds)}_person_${String(index)}`);
  const accounts: number[] = [];
  for (const username of usernames) accounts.push(await insertAccount(database.db, username));
  const posts: number[] = [];
  for (const authorId of accounts) {
    const inserted = await writes.post(database.db, authorId, 'first');
    posts.push(inserted?.id ?? 0);
  }
  await execute('INSERT INTO follow (follower_id, followed_id) VALUES ($1, $2)', accounts[0], accounts[4]);
  await execute('UPDATE account SET following_count = 1 WHERE id = $1', accounts[0]);
  await execute('UPDATE account SET protected = true, followers_count = 1 WHERE id = $1', accounts[protectedAccount]);
  await execute('UPDATE account SET deleted_at = now() WHERE id = $1', accounts[deletedAccount]);
  // The last is no post and no account.
  return { db, accounts: [...accounts, 1], usernames: [...usernames, 'nobody_at_all'], posts: [...posts, 1] };
}

interface Call {
  readonly who: number;
  readonly other: number;
}

const at = (ids: readonly number[], index: number) => ids[index] ?? 0;
/** Ids in responses differ between the worlds; positions do not. */
const named = ({ accounts }: World, id: number | undefined) => (id === undefined ? undefined : accounts.indexOf(id));
const namedAll = (world: World, mentions: readonly { readonly id: number }[] | null) =>
  mentions?.map(({ id }) => named(world, id));

/** What each kind of call does, and what of its response can be compared. */
const kinds: Readonly<Record<string, (world: World, call: Call) => Promise<unknown>>> = {
  like: async ({ db, accounts, posts }, { who, other }) => await writes.like(db, at(accounts, who), at(posts, other)),
  repost: async ({ db, accounts, posts }, { who, other }) =>
    await writes.repost(db, at(accounts, who), at(posts, other)),
  unlike: async ({ db, accounts, posts }, { who, other }) =>
    await writes.unlike(db, at(accounts, who), at(posts, other)),
  unrepost: async ({ db, accounts, posts }, { who, other }) =>
    await writes.unrepost(db, at(accounts, who), at(posts, other)),
  comment: async (world, { who, other }) => {
    const post = at(world.posts, other);
    // Some reply to a comment that does not exist, and are refused.
    const parent = (who + other) % 4 === 0 ? { parentId: 1 } : {};
    const text = who === other ? 'Nobody' : `To @${String(world.usernames[other])} #tag${String(who)}`;
    const row = await writes.comment(world.db, at(world.accounts, who), { postId: post, text, ...parent });
    return row && [named(world, row['author.id']), namedAll(world, row.mentions), row.hashtags, row.urls];
  },
  write: async (world, { who, other }) => {
    const text = `To @${String(world.usernames[other])}, @${String(world.usernames[0])} and @nobody_at_all #tag${String(who)}`;
    const row = await writes.post(world.db, at(world.accounts, who), text);
    return (
      row && [named(world, row['author.id']), row['author.postsCount'], namedAll(world, row.mentions), row.likesCount]
    );
  },
  show: async (world, { who, other }) => {
    const row = await lookups.post(world.db, at(world.posts, other), at(world.accounts, who));
    return row && [named(world, row['author.id']), row.likesCount, row.repostsCount, namedAll(world, row.mentions)];
  },
  account: async (world, { who, other }) => {
    const row = await lookups.account(world.db, at(world.accounts, other), at(world.accounts, who));
    return (
      row && [named(world, row['author.id']), row['author.postsCount'], row.likesCount, namedAll(world, row.mentions)]
    );
  },
};

/** The rows of a world. In a burst of more than 1,000 ids, only those of one shard ascend, so rows of different accounts have no order. */
async function rowsOf({ accounts, posts }: World): Promise<unknown> {
  const select = async (name: string, text: string) =>
    await database.db.query({ name: `test_rows_${name}`, text }, [accounts, posts]);
  return [
    await select(
      'like',
      `SELECT array_position($1::bigint[], account_id) AS who, array_position($2::bigint[], post_id) AS post
       FROM post_like WHERE account_id = ANY ($1) ORDER BY who, post`,
    ),
    await select(
      'repost',
      `SELECT array_position($1::bigint[], account_id) AS who, array_position($2::bigint[], post_id) AS post
       FROM repost WHERE account_id = ANY ($1) ORDER BY who, post`,
    ),
    await select(
      'comment',
      `SELECT array_position($1::bigint[], author_id) AS who, array_position($2::bigint[], post_id) AS post, hashtags, parent_id,
         (SELECT array_agg(array_position($1::bigint[], id) ORDER BY position)
          FROM unnest(mention_ids) WITH ORDINALITY m(id, position)) AS mentions
       FROM comment WHERE author_id = ANY ($1) ORDER BY who, post, id`,
    ),
    await select(
      'post',
      `SELECT array_position($1::bigint[], author_id) AS author, likes_count, reposts_count, comments_count, hashtags,
         (SELECT array_agg(array_position($1::bigint[], id) ORDER BY position)
          FROM unnest(mention_ids) WITH ORDINALITY m(id, position)) AS mentions
       FROM post WHERE author_id = ANY ($1) AND array_length($2::bigint[], 1) > 0 ORDER BY author, id`,
    ),
    await select(
      'account',
      `SELECT posts_count FROM account WHERE id = ANY ($1) AND array_length($2::bigint[], 1) > 0 ORDER BY array_position($1, id)`,
    ),
  ];
}

const call = fc.record({ who: fc.nat({ max: people }), other: fc.nat({ max: people }) });
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(kinds)),
    // One batch, which has the effect of its calls in their order.
    calls: fc.array(call, { minLength: 1, maxLength: 64, size: 'max' }),
  }),
  { minLength: 8, maxLength: 16, size: 'max' },
);

test(
  `concurrent calls of one kind respond and store the same as one by one, ${String(rounds)} rounds`,
  { timeout: 120_000 + rounds * 10_000 },
  async () => {
    const property = fc.asyncProperty(steps, async (sequence) => {
      // In a transaction, no call shares a statement.
      const single: Queryable = {
        query: async (statement, params) =>
          await database.db.transaction(async (tx) => await tx.query(statement, params)),
      };
      const [together, oneByOne] = [await createWorld(batching), await createWorld(single)];
      for (const { kind, calls } of sequence) {
        const run = kinds[kind] ?? kinds['like'];
        if (run === undefined) throw new Error(`there is no ${kind}`);
        const expected: unknown[] = [];
        for (const one of calls) expected.push(await run(oneByOne, one));
        expect(await Promise.all(calls.map((one) => run(together, one))), kind).toEqual(expected);
      }
      expect(await rowsOf(together)).toEqual(await rowsOf(oneByOne));
    });
    await fc.assert(property, {
      numRuns: rounds,
      endOnFailure: true,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
    });
    expect(await findCounterMismatches(database.db)).toEqual([]);
    // Each kind of call did share statements.
    expect(batches.size).toBe(Object.keys(kinds).length);
  },
);

test(
  `concurrent calls of all kinds have the effect of some order, ${String(rounds)} rounds`,
  { timeout: 120_000 + rounds * 10_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const world = await createWorld(batching);
      const [author, post] = [at(world.accounts, 1), at(world.posts, 1)];
      const found = { likes: [] as number[], posts: [] as number[], seen: [] as number[] };
      const actions = [
        async (index: number) => {
          const count = await writes.like(world.db, at(world.accounts, Math.floor(index / 5) % 5), post);
          found.likes.push(count ?? -1);
        },
        async () => {
          const row = await writes.post(world.db, author, 'another');
          found.posts.push(row?.['author.postsCount'] ?? -1);
        },
        async () => void found.seen.push((await lookups.post(world.db, post, author))?.likesCount ?? -1),
        async (index: number) =>
          void (await writes.unlike(world.db, at(world.accounts, Math.floor(index / 5) % 5), at(world.posts, 2))),
        async (index: number) =>
          void (await writes.like(world.db, at(world.accounts, Math.floor(index / 5) % 5), at(world.posts, 2))),
      ];
      await Promise.all(
        Array.from({ length: 300 }, async (_, index) => await actions[index % actions.length]?.(index)),
      );
      expect(found.posts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2));
      // Five accounts like the post, and each like of theirs that came first has its own count.
      expect(new Set(found.likes)).toEqual(new Set([1, 2, 3, 4, 5]));
      expect(found.seen.every((count) => count >= 0 && count <= 5)).toBe(true);
    }
    expect(await findCounterMismatches(database.db)).toEqual([]);
  },
);
