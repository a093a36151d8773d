import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

/** A post with more marks than one statement can delete. */

let database: TestDatabase;
const [author, stranger, post, other] = [1, 2, 100, 101];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  await database.db.prisma.$executeRawUnsafe(
    `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
     SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'A', 'B', 'A B' FROM generate_series(1, 60) g`,
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const marked = 'FROM generate_series(10, 60) g, post p';
  const data = [
    'DELETE FROM post',
    `INSERT INTO post (id, author_id, text, mention_ids) SELECT g, ${String(author)}, 'x', '{}' FROM generate_series(${String(post)}, ${String(other)}) g`,
    `INSERT INTO post_like (account_id, post_id, author_id) SELECT g, p.id, p.author_id ${marked}`,
    `INSERT INTO repost (account_id, post_id, author_id) SELECT g, p.id, p.author_id ${marked} WHERE g < 40`,
    `INSERT INTO comment (author_id, post_id, text) SELECT g, p.id, 'x' ${marked} WHERE g < 25`,
    'UPDATE post SET likes_count = 51, reposts_count = 30, comments_count = 15',
    `UPDATE account SET posts_count = 2 WHERE id = ${String(author)}`,
  ];
  for (const sql of data) await database.db.prisma.$executeRawUnsafe(sql);
});

const counts = statement<readonly [], Readonly<Record<'id' | 'likes' | 'reposts' | 'comments' | 'drift', number>>>(
  'test_counts',
  `SELECT p.id, c.*, abs(p.likes_count - likes) + abs(p.reposts_count - reposts) + abs(p.comments_count - comments) AS drift
   FROM post p, LATERAL (SELECT (SELECT count(*)::int FROM post_like WHERE post_id = p.id) AS likes,
     (SELECT count(*)::int FROM repost WHERE post_id = p.id) AS reposts,
     (SELECT count(*)::int FROM comment WHERE post_id = p.id) AS comments) c ORDER BY p.id`,
);
const untouched = { likes: 51, reposts: 30, comments: 15, drift: 0 };

test('goes with all its marks, and no others', async () => {
  expect(await deletePost(database.db, { id: post, accountId: author }, 10)).toBe('deleted');
  expect(await database.db.query(counts, [])).toEqual([{ id: other, ...untouched }]);
  expect(await database.db.prisma.account.findUnique({ where: { id: author } })).toMatchObject({ postsCount: 1 });
  expect(await deletePost(database.db, { id: post, accountId: author }, 10)).toBeUndefined();
});

test('that is interrupted has exact counters, and can be deleted again', async () => {
  let left = 4;
  const failing: Queryable = {
    query: async (asked, params) => {
      if (left === 0) throw new Error('interrupted');
      left -= 1;
      return await database.db.query(asked, params);
    },
  };
  await expect(deletePost(failing, { id: post, accountId: author }, 10)).rejects.toThrow('interrupted');
  expect(await database.db.query(counts, [])).toEqual([
    { id: post, likes: 31, reposts: 10, comments: 0, drift: 0 },
    { id: other, ...untouched },
  ]);
  expect(await deletePost(database.db, { id: post, accountId: author }, 10)).toBe('deleted');
});

test('whose counters tell of marks that are not there goes all the same', async () => {
  await database.db.prisma.$executeRawUnsafe('UPDATE post SET likes_count = 1000');
  expect(await deletePost(database.db, { id: post, accountId: author }, 10)).toBe('deleted');
});

test('of somebody else loses nothing', async () => {
  expect(await deletePost(database.db, { id: post, accountId: stranger }, 10)).toBe('not-owner');
  expect(await database.db.query(counts, [])).toEqual([
    { id: post, ...untouched },
    { id: other, ...untouched },
  ]);
});
