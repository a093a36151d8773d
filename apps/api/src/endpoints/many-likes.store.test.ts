import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { acceptAnyShard } from '@linnet/test/db/any-shard';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** Posts with more likes, reposts and comments than one statement can delete. */

let database: TestDatabase;
const [author, stranger, post, other] = [1, 2, 100, 101];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  await database.db.prisma.$executeRawUnsafe(acceptAnyShard);
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
    `INSERT INTO bookmark (account_id, post_id, author_id) SELECT g, p.id, p.author_id ${marked} WHERE g < 45`,
    'UPDATE post SET bookmarks_count = 35, likes_count = 51, reposts_count = 30, comments_count = 15',
    `UPDATE account SET posts_count = 2, deleted_at = NULL, erased_at = NULL WHERE id = ${String(author)}`,
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

/** The database cancels a statement that touches too many rows. */
async function limitMarksOfTransaction(most: number) {
  const limit = [
    `CREATE FUNCTION count_marks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM set_config('test.gone', (COALESCE(NULLIF(current_setting('test.gone', true), ''), '0')::int + 1)::text, true);
       IF current_setting('test.gone')::int > ${String(most)} THEN RAISE EXCEPTION 'too many marks at once'; END IF;
       RETURN NULL; END $$`,
    ...['post_like', 'repost', 'comment', 'bookmark'].map(
      (table) => `CREATE TRIGGER ${table}_gone AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_marks()`,
    ),
  ];
  for (const sql of limit) await database.db.prisma.$executeRawUnsafe(sql);
  return {
    [Symbol.asyncDispose]: async () =>
      void (await database.db.prisma.$executeRawUnsafe('DROP FUNCTION count_marks CASCADE')),
  };
}

async function deleteInBatches(db: Queryable, accountId = author, outside = db) {
  return await deletePost({ db, outside }, { id: post, accountId }, 10);
}

describe('a deleted post', () => {
  test('is deleted with all its likes, reposts and comments, and no others', async () => {
    // Forty: ten of each kind.
    await using _limit = await limitMarksOfTransaction(40);
    expect(await deleteInBatches(database.db)).toBe('deleted');
    expect(await database.db.query(counts, [])).toEqual([{ id: other, ...untouched }]);
    expect(await database.db.prisma.account.findUnique({ where: { id: author } })).toMatchObject({ postsCount: 1 });
    expect(await deleteInBatches(database.db)).toBeUndefined();
  });

  test('is deleted in batches if it has nothing but bookmarks', async () => {
    for (const table of ['post_like', 'repost', 'comment']) {
      await database.db.prisma.$executeRawUnsafe(`DELETE FROM ${table}`);
    }
    await database.db.prisma.$executeRawUnsafe(
      'UPDATE post SET likes_count = 0, reposts_count = 0, comments_count = 0',
    );
    await using _limit = await limitMarksOfTransaction(10);
    expect(await deleteInBatches(database.db)).toBe('deleted');
  });

  test('has exact counters after an interruption, and can be deleted again', async () => {
    await expect(deleteInBatches(failingAfter(4))).rejects.toThrow('interrupted');
    expect(await database.db.query(counts, [])).toEqual([
      { id: post, likes: 31, reposts: 10, comments: 0, drift: 0 },
      { id: other, ...untouched },
    ]);
    expect(await deleteInBatches(database.db)).toBe('deleted');
  });

  test('does not block likes while its likes are deleted, although its own deletion waits for a transaction', async () => {
    const likes = statement<readonly [], never>(
      'test_like_post',
      `UPDATE post SET text = 'y' WHERE id = ${String(post)}`,
    );
    await database.db.transaction(async (tx) => {
      let batches = 0;
      const outside: Queryable = {
        query: async (asked, params) => {
          const rows = await database.db.query(asked, params);
          batches += 1;
          // This would wait until it times out if the transaction locked the post.
          await database.db.query(likes, []);
          return rows;
        },
      };
      expect(await deleteInBatches(tx, author, outside)).toBe('deleted');
      expect(batches).toBe(5);
    });
    expect(await database.db.query(counts, [])).toEqual([{ id: other, ...untouched }]);
  });

  test('is deleted even if its counters are wrong', async () => {
    await database.db.prisma.$executeRawUnsafe('UPDATE post SET likes_count = 1000');
    expect(await deleteInBatches(database.db)).toBe('deleted');
  });

  test.each([
    ['somebody else’s', 'not-owner', `SELECT 1`, stranger],
    ['a deleted account’s', undefined, `UPDATE account SET deleted_at = now() WHERE id = ${String(author)}`, author],
  ])('is %s: nothing is lost', async (_whose, outcome, before, accountId) => {
    await database.db.prisma.$executeRawUnsafe(before);
    expect(await deleteInBatches(database.db, accountId)).toBe(outcome);
    expect(await database.db.query(counts, [])).toEqual([
      { id: post, ...untouched },
      { id: other, ...untouched },
    ]);
  });
});

describe('the posts of an account after the grace period', () => {
  beforeEach(async () => {
    await database.db.prisma.$executeRawUnsafe(
      `UPDATE account SET deleted_at = now() - interval '15 days' WHERE id = ${String(author)}`,
    );
  });
  const work = async (db: Transactional = database.db, stopping?: AbortSignal) => {
    const accounts = createAccounts(database.db);
    await processDeletions({
      db,
      accounts,
      eraseRegistrations,
      batchSize: 50,
      dependentsPerBatch: 10,
      ...(stopping && { stopping }),
    });
  };
  const isErased = async () =>
    (await database.db.prisma.account.findUniqueOrThrow({ where: { id: author } })).erasedAt !== null;

  test('are deleted with all likes, reposts and comments, a few per transaction', async () => {
    await using _limit = await limitMarksOfTransaction(40);
    await work();
    expect(await database.db.query(counts, [])).toEqual([]);
    expect(await isErased()).toBe(true);
  });

  test('are deleted at once if they have few likes, reposts and comments together', async () => {
    await database.db.prisma.$executeRawUnsafe(
      `INSERT INTO post (id, author_id, text, mention_ids) SELECT g, ${String(author)}, 'x', '{}' FROM generate_series(1, 40) g`,
    );
    const stop = new AbortController();
    await work({ ...database.db, query: stopAfter(stop, 'erase_posts') }, stop.signal);
    expect(await database.db.query(counts, [])).toEqual([
      { id: post, ...untouched },
      { id: other, ...untouched },
    ]);
  });

  test('have exact counters after an interruption, and are deleted by the next run', async () => {
    const stop = new AbortController();
    const stopping = stopAfter(stop, 'post_delete_dependents');
    await work({ ...database.db, query: stopping }, stop.signal);
    expect(await database.db.query(counts, [])).toEqual([
      { id: post, likes: 41, reposts: 20, comments: 5, drift: 0 },
      { id: other, ...untouched },
    ]);
    expect(await isErased()).toBe(false);
    await work();
    expect(await isErased()).toBe(true);
  });

  test('are deleted even if their counters are wrong', async () => {
    await database.db.prisma.$executeRawUnsafe('UPDATE post SET likes_count = 1000');
    await work();
    expect(await isErased()).toBe(true);
  });
});

function failingAfter(queries: number): Queryable {
  let left = queries;
  return {
    query: async (asked, params) => {
      if (left === 0) throw new Error('interrupted');
      left -= 1;
      return await database.db.query(asked, params);
    },
  };
}

/** Runs queries and aborts `stop` after the statement with this name. */
function stopAfter(stop: AbortController, name: string): Queryable['query'] {
  return async (asked, params) => {
    const rows = await database.db.query(asked, params);
    if (asked.name === name) stop.abort();
    return rows;
  };
}
