import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { acceptAnyShard } from '@linnet/test/db/any-shard';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { listQueries } from '@linnet/test/api/list-queries';

/** `GET /post` returns the latest items of an account, however it mixes posts and reposts, and wherever a page begins. */

let database: TestDatabase;

/** Item n of an account, from the oldest on, is a repost where `isRepost` (SQL) says so. */
const accounts = [
  { id: 11, items: 300, name: 'posts only', isRepost: 'false' },
  { id: 12, items: 300, name: 'reposts only', isRepost: 'true' },
  { id: 13, items: 300, name: 'turn by turn', isRepost: 'n % 2 = 0' },
  { id: 14, items: 300, name: 'a few reposts', isRepost: 'n % 10 = 3' },
  { id: 15, items: 300, name: 'mostly reposts', isRepost: 'n % 10 <> 3' },
  { id: 16, items: 300, name: 'stretches of both', isRepost: 'n / 40 % 2 = 0' },
  { id: 17, items: 3300, name: 'more than a list has, a few reposts', isRepost: 'n % 50 = 7' },
  { id: 18, items: 3300, name: 'more than a list has, mostly reposts', isRepost: 'n % 50 <> 7' },
  { id: 19, items: 3300, name: 'many posts, older reposts', isRepost: 'n < 200' },
  { id: 20, items: 3300, name: 'many posts, newer reposts', isRepost: 'n > 3100' },
] as const;

/** `follower` follows one of the protected accounts. */
const readers = { follower: 1, stranger: 2, nobody: null } as const;

// Accounts 100 to 139 wrote what is reposted. Every third of them is protected, 101 is deleted.
const data = [
  acceptAnyShard,
  `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name, protected, deleted_at)
   SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'A', 'B', 'A B', g >= 100 AND g % 3 = 0,
     CASE WHEN g = 101 THEN now() END FROM generate_series(1, 139) g`,
  `INSERT INTO follow (follower_id, followed_id) VALUES (${String(readers.follower)}, 102)`,
  `INSERT INTO post (id, author_id, text, mention_ids) SELECT g, 100 + g % 40, 'x', '{}' FROM generate_series(1, 3300) g`,
  ...accounts.flatMap(({ id, items, isRepost }) => {
    const [account, first, numbers] = [String(id), String(id * 10_000), `generate_series(1, ${String(items)}) n`];
    return [
      `INSERT INTO post (id, author_id, text, mention_ids) SELECT ${first} + n, ${account}, 'x', '{}' FROM ${numbers} WHERE NOT (${isRepost})`,
      `INSERT INTO repost (id, account_id, post_id, author_id)
       SELECT ${first} + n, ${account}, p.id, p.author_id FROM ${numbers} JOIN post p ON p.id = n WHERE ${isRepost}`,
    ];
  }),
  'UPDATE account a SET posts_count = (SELECT count(*) FROM post WHERE author_id = a.id)',
];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  for (const sql of data) await database.db.prisma.$executeRawUnsafe(sql);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const expectedItems = statement<readonly [account: number, viewer: number | null], { readonly id: number }>(
  'test_post_items',
  `SELECT i.id FROM (
     SELECT id FROM post WHERE author_id = $1
     UNION ALL SELECT r.id FROM repost r JOIN account a ON a.id = r.author_id
     WHERE r.account_id = $1 AND a.deleted_at IS NULL
       AND (NOT a.protected OR a.id IN (SELECT followed_id FROM follow WHERE follower_id = $2))
   ) i ORDER BY id DESC LIMIT 3000`,
);

describe.each(Object.entries(readers))('%s', (_reader, viewer) => {
  test.each(accounts)('$name', async ({ id: of }) => {
    const expected = (await database.db.query(expectedItems, [of, viewer])).map(({ id }) => id);
    interface Cursor {
      readonly direction: 'older' | 'newer';
      readonly id: number;
    }
    const find = async (count: number, page: number, cursor?: Cursor) => {
      const { items, total } = Object(await listQueries.posts(database.db, { of, viewer }, { count, page, cursor }));
      return { items: items.map(({ itemId }: { itemId: number }) => itemId), total };
    };
    for (const count of [1, 9, 100]) {
      const last = Math.ceil(expected.length / count);
      const pages = [1, 2, 3, Math.ceil(last / 3), Math.ceil(last / 2), last, last + 1];
      // At once, so that they share statements.
      const found = await Promise.all(pages.map(async (page) => await find(count, page)));
      const wanted = pages.map((page) => ({
        items: expected.slice(count * (page - 1), count * page),
        total: expected.length,
      }));
      expect(found, `pages of ${String(count)}`).toEqual(wanted);
    }
    // The list ends after 3,000 items, also for cursors.
    for (const at of [0, 1, 150, 1500, 2950, expected.length - 1]) {
      const id = expected[at];
      if (id === undefined) continue;
      const [older, newer] = await Promise.all(
        (['older', 'newer'] as const).map(async (direction) => await find(90, 1, { direction, id })),
      );
      const total = expected.length;
      expect(older, `older than ${String(at)}`).toEqual({ items: expected.slice(at + 1, at + 91), total });
      expect(newer, `newer than ${String(at)}`).toEqual({ items: expected.slice(Math.max(at - 90, 0), at), total });
    }
  });
});
