import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { findCounterMismatches } from '@linnet/test/db/counters';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { writes } from '@linnet/test/api/list-queries';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** What a process does while another holds the row of a post or account that many people want to change. */
const people = 12;
/** Posts and comments to delete. */
const items = 4 * people;

let database: TestDatabase;
let api: RunningApi;
let observer: Db;
let author: number;
let members: readonly number[];
let posts: readonly number[];
let comments: readonly number[];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  observer = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  author = await insertAccount(observer, 'the_author');
  const inserted: number[] = [];
  for (let index = 0; index < people; index += 1) {
    inserted.push(await insertAccount(observer, `member_${String(index)}`));
  }
  members = inserted;
  const rows = await Promise.all(Array.from({ length: 1 + items }, async () => await writes.post(api.db, author, 'x')));
  posts = rows.map((row) => row?.id ?? 0);
  const written = await Promise.all(
    Array.from(
      { length: items },
      async (_, index) => await writes.comment(api.db, at(members, index), { postId: at(posts, 0), text: 'x' }),
    ),
  );
  comments = written.map((row) => row?.id ?? 0);
});
afterAll(async () => {
  await observer[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const at = (ids: readonly number[], index: number) => ids[index % ids.length] ?? 0;

interface Call {
  readonly path: string;
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly by: number;
}

const toPost = (path: string) => (index: number) => ({
  path,
  parameters: { type: 'post', item_id: at(posts, 0) },
  by: at(members, index),
});
const toAuthor = (path: string) => (index: number) => ({ path, parameters: { id: author }, by: at(members, index) });

const onPost: Readonly<Record<string, (index: number) => Call>> = {
  'likes of a post': toPost('likes/add'),
  'unlikes of a post': toPost('likes/delete'),
  'reposts of a post': toPost('reposts/add'),
  'undone reposts of a post': toPost('reposts/delete'),
  'comments on a post': (index) => ({
    path: 'comment/create',
    parameters: { type: 'post', item_id: at(posts, 0), text: 'x' },
    by: at(members, index),
  }),
  'deletions of the comments on a post': (index) => ({
    path: 'comment/delete',
    parameters: { id: at(comments, index) },
    by: at(members, index),
  }),
};
const onAccount: Readonly<Record<string, (index: number) => Call>> = {
  'follows of an account': toAuthor('follows/add'),
  'unfollows of an account': toAuthor('follows/delete'),
  'removals of a follower': (index) => ({
    path: 'followers/delete',
    parameters: { id: at(members, index) },
    by: author,
  }),
  'approvals of a follow request': (index) => ({
    path: 'follows/requests/approve',
    parameters: { id: at(members, index) },
    by: author,
  }),
  'posts of an account': () => ({ path: 'post/create', parameters: { message: 'x' }, by: author }),
  // All but the first post, which the other cases need.
  'deletions of the posts of an account': (index) => ({
    path: 'post/delete',
    parameters: { id: at(posts.slice(1), index) },
    by: author,
  }),
};

let sent = 0;

async function send({ path, parameters, by }: Call, isKeyed: boolean): Promise<number> {
  sent += 1;
  const response = await api.call(`POST /${path}`, {
    claims: { acct: by },
    headers: { 'content-type': 'application/json', ...(isKeyed ? { 'idempotency-key': String(sent) } : {}) },
    body: JSON.stringify(parameters),
  });
  return response.status;
}

const locks = {
  post: statement<readonly [id: number], unknown>('test_lock_post', 'SELECT FROM post WHERE id = $1 FOR NO KEY UPDATE'),
  account: statement<readonly [id: number], unknown>(
    'test_lock_account',
    'SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE',
  ),
};
/** Otherwise a transaction sees what others did when it first looked. */
const lookAgain = statement<readonly [], unknown>('test_look_again', 'SELECT pg_stat_clear_snapshot()');
const countWaiting = statement<readonly [], { readonly count: number }>(
  'test_count_waiting',
  `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

const cases = [
  ...Object.entries(onPost).map(([name, call]) => ({ name, table: 'post', call }) as const),
  ...Object.entries(onAccount).map(([name, call]) => ({ name, table: 'account', call }) as const),
].flatMap((one) => [
  { ...one, isKeyed: false, how: 'without' },
  { ...one, isKeyed: true, how: 'with' },
]);

describe('two connections wait for a row, however many people change it at once, and others are served:', () => {
  test.each(cases)('$name, $how Idempotency-Key', async ({ table, call, isKeyed }) => {
    // Not those that the case without keys has deleted.
    const first = isKeyed ? items / 2 : 0;
    const statuses: Promise<number>[] = [];
    const start = (count: number) => {
      for (let index = 0; index < count; index += 1) statuses.push(send(call(first + statuses.length), isKeyed));
    };
    let most = 0;
    await observer.transaction(async (tx) => {
      await tx.query(locks[table], [table === 'post' ? at(posts, 0) : author]);
      start(people);
      const waiting = async () => {
        await tx.query(lookAgain, []);
        const [found] = await tx.query(countWaiting, []);
        most = Math.max(most, found?.count ?? 0);
        return found?.count;
      };
      // The first of them may share one statement.
      await expect.poll(async () => (start(2), await waiting())).toBe(2);
      // These wait for their turn.
      start(people);
      expect((await api.call('GET /users/show', { claims: { acct: at(members, 0) } })).status).toBe(200);
      await waiting();
    });
    expect(most).toBe(2);
    // On a busy machine, some may have waited too long.
    const allowed = new Set([200, 404, 429, 503]);
    expect((await Promise.all(statuses)).filter((status) => !allowed.has(status))).toEqual([]);
    expect(await findCounterMismatches(observer)).toEqual([]);
  });
});
