import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { acceptAnyShard } from '@linnet/test/db/any-shard';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { listQueries } from '@linnet/test/api/list-queries';

/**
 * Two thirds of the accounts in the rows are deleted or protected. Every page contains exactly the visible rows,
 * wherever it begins and whether the total comes from a count or a counter.
 */

let database: TestDatabase;

/** Account 1 has the lists. Account 2 reads them and follows every second protected account. */
const [owner, reader, post] = [1, 2, 5000];
/** Posts of the owner before, among and after all reposts. */
const ownPosts = [post, 5001, 6101, 6301, 6551, 6553, 6557, 6901, 6902, 6903];
const [isDeleted, isProtected] = ['g % 3 = 0', 'g % 3 = 1'];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  for (const sql of data) await database.db.prisma.$executeRawUnsafe(sql);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

// The ids of the rows ascend with those of accounts 11 to 310. The latest 30 accounts are deleted.
const data = [
  acceptAnyShard,
  `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
     protected, deleted_at)
   SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'A', 'B', 'A B',
     g > 10 AND ${isProtected}, CASE WHEN g > 280 OR g > 10 AND ${isDeleted} THEN now() END FROM generate_series(1, 310) g`,
  `INSERT INTO post (id, author_id, text, mention_ids) SELECT 1000 + g, g, g, '{}' FROM generate_series(11, 310) g`,
  `INSERT INTO post (id, author_id, text, mention_ids)
   SELECT unnest('{${ownPosts.join(', ')}}'::bigint[]), ${String(owner)}, 'x', '{}'`,
  `INSERT INTO comment (id, post_id, author_id, text) SELECT 6000 + g, ${String(post)}, g, g FROM generate_series(11, 310) g`,
  `INSERT INTO repost (id, account_id, post_id, author_id)
   SELECT 6000 + 2 * g, ${String(owner)}, 1000 + g, g FROM generate_series(11, 310) g`,
  `INSERT INTO post_like (id, account_id, post_id, author_id)
   SELECT 6000 + g, ${String(owner)}, 1000 + g, g FROM generate_series(11, 310) g`,
  `INSERT INTO follow (id, follower_id, followed_id) SELECT 6000 + g, g, ${String(owner)} FROM generate_series(11, 310) g`,
  `INSERT INTO follow (id, follower_id, followed_id) SELECT 7000 + g, ${String(owner)}, g FROM generate_series(11, 310) g`,
  `INSERT INTO follow (id, follower_id, followed_id)
   SELECT 8000 + g, ${String(reader)}, g FROM generate_series(11, 310) g WHERE ${isProtected} AND g % 2 = 0`,
  `INSERT INTO follow_request (id, follower_id, followed_id)
   SELECT 6000 + g, g, ${String(reader)} FROM generate_series(11, 310) g`,
];

const namedBy = {
  undeleted: 'a.deleted_at IS NULL',
  visible: `a.deleted_at IS NULL AND (NOT a.protected OR a.id IN (SELECT followed_id FROM follow WHERE follower_id = $1))`,
};

const lists: readonly {
  readonly list: keyof typeof listQueries;
  readonly of: number;
  readonly rows: keyof typeof namedBy;
  /** The id of the row for an account. */
  readonly naming: (account: number) => number;
  /** Rows without another account. */
  readonly always?: readonly number[];
  /** The property of an item that has the id of the row; absent when the item is the account. */
  readonly key: 'itemId' | 'id' | 'keptId' | 'account';
  readonly viewers: readonly (number | null)[];
}[] = [
  {
    list: 'posts',
    of: owner,
    rows: 'visible',
    naming: (id) => 6000 + 2 * id,
    always: ownPosts,
    key: 'itemId',
    viewers: [reader, null],
  },
  { list: 'comments', of: post, rows: 'undeleted', naming: (id) => 6000 + id, key: 'id', viewers: [reader, null] },
  { list: 'favorites', of: owner, rows: 'visible', naming: (id) => 6000 + id, key: 'keptId', viewers: [reader, null] },
  { list: 'followers', of: owner, rows: 'undeleted', naming: (id) => 6000 + id, key: 'account', viewers: [reader] },
  { list: 'following', of: owner, rows: 'undeleted', naming: (id) => 7000 + id, key: 'account', viewers: [reader] },
  { list: 'requests', of: reader, rows: 'undeleted', naming: (id) => 6000 + id, key: 'account', viewers: [reader] },
];

describe.each([
  ['totals from a count', 0],
  ['totals from a counter', 10_000],
])('%s', (_name, counter) => {
  beforeAll(async () => {
    await database.db.prisma.$executeRawUnsafe(
      `UPDATE account SET posts_count = ${String(counter)}, followers_count = ${String(counter)}, following_count = ${String(counter)}`,
    );
    await database.db.prisma.$executeRawUnsafe(`UPDATE post SET comments_count = ${String(counter)}`);
  });

  test.each(lists)('$list', async ({ list, of, rows, naming, always = [], key, viewers }) => {
    const named = statement<readonly [viewer: number | null], { readonly id: number }>(
      `test_${rows}`,
      `SELECT a.id FROM account a WHERE a.id > 10 AND ${namedBy[rows]} AND $1::bigint IS NOT DISTINCT FROM $1 ORDER BY a.id DESC`,
    );
    for (const viewer of viewers) {
      const accounts = (await database.db.query(named, [viewer])).map(({ id }) => id);
      const expected = [...accounts.map(naming), ...always].toSorted((one, other) => other - one);
      const call = async (page: number, cursor?: { direction: 'older' | 'newer'; id: number }) => {
        const found = Object(await listQueries[list](database.db, { of, viewer }, { count: 7, page, cursor }));
        return found.items.map((item: Record<string, number>) =>
          key === 'account' ? naming(Number(item['id'])) : item[key],
        );
      };
      for (const page of [1, 2, 3, 9, Math.ceil(expected.length / 7)]) {
        const wanted = expected.slice(7 * page - 7, 7 * page);
        expect(await call(page), `page ${String(page)} for ${String(viewer)}`).toEqual(wanted);
      }
      for (const at of [0, 5, 50]) {
        const id = expected[at] ?? 0;
        expect(await call(1, { direction: 'older', id })).toEqual(expected.slice(at + 1, at + 8));
        expect(await call(1, { direction: 'newer', id })).toEqual(expected.slice(Math.max(at - 7, 0), at));
      }
    }
  });
});
