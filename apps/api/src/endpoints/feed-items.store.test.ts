import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { acceptAnyShard } from '@linnet/test/db/any-shard';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { listQueries } from '@linnet/test/api/list-queries';

/**
 * A feed contains the latest posts and reposts of its accounts, whichever strategy finds them: from the latest of
 * all accounts, from each account, or one after the other.
 */

let database: TestDatabase;

async function fill(statements: readonly string[]): Promise<void> {
  for (const sql of statements) await database.db.prisma.$executeRawUnsafe(sql);
}

/** Accounts 1 to 5 read, 41 and 42 are protected, 40 is deleted, 51 to 59 are new. */
const reader = { ofMany: 1, ofFew: 2, ofQuiet: 3, ofNobody: 4, ofNewcomers: 5 };

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  await fill(data);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

// Ids of posts are even, those of reposts odd. Nine of ten of the latest 800 posts are by new accounts; account 11 wrote half of the older ones.
const data = [
  acceptAnyShard,
  `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
     protected, deleted_at)
   SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'A', 'B', 'A B',
     g IN (41, 42), CASE WHEN g = 40 THEN now() END FROM generate_series(1, 60) g`,
  `INSERT INTO post (id, author_id, text, mention_ids)
   SELECT 2 * g, CASE WHEN g > 5000 AND g % 10 > 0 THEN 50 + g % 10 WHEN g % 2 = 0 THEN 11 ELSE 11 + g % 32 END, g, '{}'
   FROM generate_series(1, 5800) g`,
  `INSERT INTO repost (id, account_id, post_id, author_id)
   SELECT p.id + 1, 11 + p.id % 29, p.id, p.author_id FROM post p WHERE p.id % 6 = 0`,
  `INSERT INTO follow (follower_id, followed_id) SELECT ${String(reader.ofMany)}, g FROM generate_series(11, 41) g`,
  `INSERT INTO follow (follower_id, followed_id) VALUES (${String(reader.ofFew)}, 13), (${String(reader.ofFew)}, 17)`,
  `INSERT INTO follow (follower_id, followed_id) SELECT ${String(reader.ofQuiet)}, g FROM generate_series(32, 40) g`,
  `INSERT INTO follow (follower_id, followed_id) SELECT ${String(reader.ofNewcomers)}, unnest('{11,17,51,52,53,54,55,56,57,58,59}'::int[])`,
  'UPDATE account a SET posts_count = (SELECT count(*) FROM post WHERE author_id = a.id)',
];

const expectedItems = statement<readonly [account: number], { readonly id: number }>(
  'test_feed_items',
  `WITH member AS (
     SELECT id FROM account WHERE deleted_at IS NULL
       AND (id = $1 OR id IN (SELECT followed_id FROM follow WHERE follower_id = $1))
   )
   SELECT i.id FROM (
     SELECT id FROM post WHERE author_id IN (SELECT id FROM member)
     UNION ALL SELECT r.id FROM repost r JOIN account a ON a.id = r.author_id
     WHERE r.account_id IN (SELECT id FROM member) AND a.deleted_at IS NULL
       AND (NOT a.protected OR a.id IN (SELECT id FROM member))
   ) i ORDER BY id DESC LIMIT 3000`,
);

test.each(Object.entries(reader))('%s', async (_name, account) => {
  const expected = (await database.db.query(expectedItems, [account])).map(({ id }) => id);
  for (const page of [1, 2, 7, 13, 22, 25, 28, 29, 30]) {
    const found = await listQueries.feed(database.db, { of: account, viewer: account }, { count: 100, page });
    const { items, total } = Object(found);
    expect(items.map(({ itemId }: { itemId: number }) => itemId)).toEqual(expected.slice(100 * page - 100, 100 * page));
    expect(total).toBe(expected.length);
  }
  for (const at of [0, 500, 2000]) {
    const id = expected[at];
    if (id === undefined) continue;
    for (const direction of ['older', 'newer'] as const) {
      const cursor = { direction, id };
      const found = await listQueries.feed(
        database.db,
        { of: account, viewer: account },
        { count: 100, page: 1, cursor },
      );
      const around =
        direction === 'older' ? expected.slice(at + 1, at + 101) : expected.slice(Math.max(at - 100, 0), at);
      expect(Object(found).items.map(({ itemId }: { itemId: number }) => itemId)).toEqual(around);
    }
  }
});

/** The ids of a page, its total, and the names of the statements that found them. */
async function readPage(account: number, count: number, page: number) {
  const sent: string[] = [];
  const db: Queryable = {
    query: async (one, params) => {
      sent.push(one.name);
      return await database.db.query(one, params);
    },
  };
  const { items, total } = Object(await listQueries.feed(db, { of: account, viewer: account }, { count, page }));
  return { ids: items.map(({ itemId }: { itemId: number }) => itemId), total, sent };
}

// Fewer posts than are always looked at; more; and so many reposts that they reach less far back than the posts.
describe.each([
  { posts: 200, reposts: 150, follows: 200 },
  { posts: 900, reposts: 300, follows: 600 },
  { posts: 700, reposts: 4000, follows: 300 },
])('a random network with $posts posts and $reposts reposts', ({ posts, reposts, follows }) => {
  const people = 40;
  const anyone = `1 + floor(${String(people)} * random() ^ 2)::int`;

  beforeAll(async () => {
    const tables = 'account, post, repost, follow, media';
    await fill([
      `TRUNCATE ${tables} CASCADE`,
      `SELECT setseed(0.25)`,
      `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
         protected, deleted_at)
       SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'A', 'B', 'A B',
         g % 4 = 0, CASE WHEN g % 7 = 0 THEN now() END FROM generate_series(1, ${String(people)}) g`,
      `INSERT INTO post (id, author_id, text, mention_ids)
       SELECT 16 * g, ${anyone}, g, '{}' FROM generate_series(1, ${String(posts)}) g`,
      `INSERT INTO repost (id, account_id, post_id, author_id)
       SELECT r.id, r.account_id, r.post_id, p.author_id FROM (
         SELECT 16 * ${String(posts)} + 1 - 2 * g AS id, ${anyone} AS account_id,
           16 * (1 + floor(${String(posts)} * random())::int) AS post_id FROM generate_series(1, ${String(reposts)}) g
       ) r JOIN post p ON p.id = r.post_id ON CONFLICT DO NOTHING`,
      `INSERT INTO follow (follower_id, followed_id)
       SELECT * FROM (SELECT ${anyone} AS a, ${anyone} AS b FROM generate_series(1, ${String(follows)})) pairs
       WHERE a <> b ON CONFLICT DO NOTHING`,
      'UPDATE account a SET posts_count = (SELECT count(*) FROM post WHERE author_id = a.id)',
    ]);
  });

  test('shows everybody exactly the items of the accounts they follow', async () => {
    const statements = new Set<string>();
    for (let account = 1; account <= people; account += 3) {
      const expected = (await database.db.query(expectedItems, [account])).map(({ id }) => id);
      for (const [count, page] of [
        [1, 1],
        [20, 1],
        [100, 1],
        [20, 3],
      ] as const) {
        const { ids, total, sent } = await readPage(account, count, page);
        expect(ids).toEqual(expected.slice(count * page - count, count * page));
        expect(total).toBe(expected.length);
        for (const name of sent) statements.add(name);
      }
    }
    expect([...statements].toSorted()).toEqual(['feed', 'feed_recent']);
  });
});
