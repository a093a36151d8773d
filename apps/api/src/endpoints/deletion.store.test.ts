import { createAccounts } from '@linnet/accounts/accounts';
import { unsuspendAccount } from '@linnet/accounts/suspension-store';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url, { config: { rateLimits: true } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };
let people = 0;
let alice: number;
let bob: number;
let carol: number;

beforeEach(async () => {
  people += 1;
  [alice, bob, carol] = (await Promise.all(
    ['alice', 'bobby', 'carol'].map(async (name) => (await api.register(`${name}_${String(people)}`)).id),
  )) as [number, number, number];
});

const nameOfAlice = () => `alice_${String(people)}`;
async function act(acct: number, target: string, values: Record<string, unknown>) {
  return await api.call(target, { claims: { acct }, body: JSON.stringify(values), headers: json });
}
async function post(acct: number, message: string): Promise<number> {
  return (await act(acct, 'POST /post/create', { message })).body.items.id;
}
const item = (id: number) => ({ item_id: id, type: 'post' });
async function deleteAccount(acct: number, password = 'correct horse') {
  return await act(acct, 'POST /account/delete', { password });
}
async function work(batchSize = 2) {
  await processDeletions({ db: api.db, accounts: createAccounts(api.db), eraseRegistrations, batchSize });
}
async function restore(username: string) {
  return await createAccounts(api.db).restore(username);
}
/** Who restores a deleted account. */
const restorers = {
  'an operator': restore,
  'its owner': async (username: string) => {
    const { id, epoch } = await api.db.prisma.account.findUniqueOrThrow({
      where: { usernameCi: username.toLowerCase() },
    });
    return await createAccounts(api.db).undoDeletion({ accountId: Number(id), epoch });
  },
} as const;

const suspend = async () => await createAccounts(api.db).suspend(nameOfAlice());
const unsuspend = async (username: string) => await unsuspendAccount(api.db, username);
/** What hides the account from everyone else, and who shows it again. */
const departures = [
  ['deleted and restored by an operator', async () => await deleteAccount(alice), restorers['an operator']],
  ['deleted and restored by its owner', async () => await deleteAccount(alice), restorers['its owner']],
  ['suspended and restored', suspend, unsuspend],
] as const;

/** Every counter together with the number of rows that it counts. */
async function miscounted() {
  return await api.db.prisma.$queryRawUnsafe(`
    SELECT 'post' AS kind, p.id FROM post p WHERE likes_count <> (SELECT count(*) FROM post_like WHERE post_id = p.id)
      OR comments_count <> (SELECT count(*) FROM comment WHERE post_id = p.id)
      OR reposts_count <> (SELECT count(*) FROM repost WHERE post_id = p.id)
    UNION ALL SELECT 'account', a.id FROM account a
    WHERE followers_count <> (SELECT count(*) FROM follow WHERE followed_id = a.id)
      OR following_count <> (SELECT count(*) FROM follow WHERE follower_id = a.id)
      OR posts_count <> (SELECT count(*) FROM post WHERE author_id = a.id)`);
}
async function counters(postId: number) {
  return (await api.call(`GET /post/show?id=${String(postId)}`)).body.items.action;
}
async function accountCounters(id: number) {
  return (await api.call(`GET /users/show?id=${String(id)}`)).body.action;
}

describe('POST /account/delete', () => {
  test('hides the account at once; its username and address stay taken', async () => {
    const postId = await post(alice, 'hello');
    const { status, body } = await deleteAccount(alice);
    expect([status, body.status]).toEqual([200, 'succeeded']);
    const shown = await Promise.all([
      api.call(`GET /users/show?id=${String(alice)}`, { claims: { acct: bob } }),
      api.call(`GET /users/show?username=${nameOfAlice()}`, { claims: { acct: bob } }),
      api.call(`GET /post/show?id=${String(postId)}`, { claims: { acct: bob } }),
    ]);
    expect(shown.map((one) => one.status)).toEqual([404, 404, 404]);
    expect((await api.call(`GET /users/is?id=${String(alice)}`)).body).toEqual({
      response: { user: 1 },
      exists: false,
    });
    expect((await api.call(`GET /account/check_username?username=${nameOfAlice()}`)).body.response.status).toBe(1);
    expect((await api.call(`GET /auth/is_email?email=${nameOfAlice()}@example.org`)).body.response).toBe(1);
  });

  test('writes nothing with a token that is still accepted', async () => {
    // Deletes in an open transaction, so that no process learns about it before the requests are sent.
    await api.db.prisma.$transaction([
      api.db.prisma.account.update({ where: { id: alice }, data: { deletedAt: new Date() } }),
      api.db.prisma.revocation.deleteMany({ where: { kind: 'account', id: String(alice) } }),
    ]);
    const responses = await Promise.all([
      act(alice, 'POST /account/update_username', { username: `risen_${String(people)}` }),
      act(alice, 'POST /account/update', { displayName: 'Risen' }),
      act(alice, 'POST /account/export', {}),
      deleteAccount(alice),
    ]);
    expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => 'user-context-required'));
  });

  test('Details 4 its tokens are rejected within a second', async () => {
    const show = async () => (await api.call('GET /users/show', { claims: { acct: alice } })).body;
    expect((await show()).id).toBe(alice);
    await deleteAccount(alice);
    await expect.poll(async () => (await show()).code).toBe('invalid_token');
  });

  test('raises the epoch; the password no longer works', async () => {
    const accounts = createAccounts(api.db);
    expect(await accounts.checkCredentials(nameOfAlice(), 'correct horse')).toMatchObject({ id: alice });
    await deleteAccount(alice);
    expect(await accounts.checkCredentials(nameOfAlice(), 'correct horse')).toBeUndefined();
    expect(await accounts.checkCredentials(`${nameOfAlice()}@example.org`, 'correct horse')).toBeUndefined();
    expect(await accounts.findById(alice)).toBeUndefined();
    const { epoch } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
    expect(epoch).toBe(1);
  });

  test('suspends the applications of the account in every process, and resumes them on restore', async () => {
    const clientId = `client_of_${nameOfAlice()}`;
    const data = { clientId, ownerId: alice, name: 'App', type: 'confidential', scopes: ['users'] } as const;
    await api.db.prisma.application.create({ data: { ...data, scopes: ['users'] } });
    const epochs = async () =>
      (await api.db.prisma.revocation.findMany({ where: { kind: 'client', id: clientId } })).map(({ epoch }) => epoch);
    expect(await epochs()).toEqual([]);
    await deleteAccount(alice);
    expect(await epochs()).toEqual([1]);
    await restorers['its owner'](nameOfAlice());
    expect(await epochs()).toEqual([2]);
  });

  test('Details 4 a wrong password is reported and changes nothing', async () => {
    const { status, body } = await deleteAccount(alice, 'wrong horse');
    expect([status, body.code, body.errors]).toEqual([
      403,
      'wrong-password',
      [{ parameter: 'password', code: 'invalid', detail: expect.any(String) }],
    ]);
    expect((await api.call(`GET /users/show?id=${String(alice)}`)).status).toBe(200);
  });

  test('UI11: after ten wrong passwords even the right one is rejected until the lock expires', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 12 }, async () => await deleteAccount(alice, 'wrong horse')),
    );
    const refused = attempts.filter(({ status }) => status === 429);
    expect([attempts.filter(({ status }) => status === 403).length, refused.length]).toEqual([10, 2]);
    expect(refused[0]?.body.code).toBe('rate-limited');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(800);
    expect((await deleteAccount(alice)).status).toBe(429);
    expect((await deleteAccount(bob)).status).toBe(200);
    await api.db.prisma.rateLimit.updateMany({ data: { expire: new Date(0) } });
    expect((await deleteAccount(alice)).status).toBe(200);
  });

  test('parallel deletions delete once', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, async () => await deleteAccount(alice)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const { epoch } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
    expect(epoch).toBe(1);
  });
});

async function mingle() {
  const posts = [await post(bob, 'one'), await post(bob, 'two'), await post(carol, 'three'), await post(alice, 'own')];
  for (const id of posts) {
    await act(alice, 'POST /likes/add', item(id));
    await act(carol, 'POST /likes/add', item(id));
    await act(alice, 'POST /comment/create', { ...item(id), text: 'first' });
    await act(alice, 'POST /comment/create', { ...item(id), text: 'second' });
    await act(bob, 'POST /comment/create', { ...item(id), text: 'third' });
    const { authorId } = await api.db.prisma.post.update({ where: { id }, data: { repostsCount: 1 } });
    await api.db.prisma.repost.create({ data: { accountId: alice, postId: id, authorId } });
  }
  await act(alice, 'POST /follows/add', { id: bob });
  await act(alice, 'POST /follows/add', { id: carol });
  await act(bob, 'POST /follows/add', { id: alice });
  await act(bob, 'POST /follows/add', { id: carol });
  return posts;
}
const rows = async () =>
  await Promise.all([
    api.db.prisma.postLike.findMany({ where: { accountId: alice }, orderBy: { id: 'asc' } }),
    api.db.prisma.comment.findMany({ where: { authorId: alice }, orderBy: { id: 'asc' } }),
    api.db.prisma.repost.findMany({ where: { accountId: alice }, orderBy: { id: 'asc' } }),
    api.db.prisma.follow.findMany({
      where: { OR: [{ followerId: alice }, { followedId: alice }] },
      orderBy: { id: 'asc' },
    }),
  ]);

describe('counters of others while an account is hidden (D8, D21, D111)', () => {
  /** The export of the account, with a token of this epoch. */
  const whole = async (ae: number) => {
    const sent = { claims: { acct: alice, ae }, body: '{}', headers: json };
    const { body } = await api.call('POST /account/export', sent);
    return { ...body, exported: undefined, exported_at: undefined };
  };

  test.each(departures)(
    'D91 no longer include the account once the job ran, and include it again: %s',
    async (_, leave, restoreIt) => {
      const [first = 0, , third = 0, own = 0] = await mingle();
      const [before, exported] = [await rows(), await whole(0)];
      await leave();
      await work();
      expect(await counters(first)).toEqual({ likes: 1, comments: 1, reposts: 0 });
      expect(await accountCounters(bob)).toEqual({ followers: 0, following: 1, posts: 2 });
      expect(await accountCounters(carol)).toEqual({ followers: 1, following: 0, posts: 1 });
      expect(await miscounted()).toEqual([]);
      expect(await rows()).toEqual([[], [], [], []]);
      expect(await restoreIt(nameOfAlice().toUpperCase())).toBe(true);
      await work();
      expect(await rows()).toEqual(before);
      expect(await counters(third)).toEqual({ likes: 2, comments: 3, reposts: 1 });
      expect(await counters(own)).toEqual({ likes: 2, comments: 3, reposts: 1 });
      expect(await accountCounters(alice)).toEqual({ followers: 1, following: 2, posts: 1 });
      expect(await miscounted()).toEqual([]);
      expect(await api.db.prisma.setAside.count({ where: { accountId: alice } })).toBe(0);
      expect(exported.posts).not.toEqual([]);
      // The process learns of the restore within a second.
      await expect.poll(async () => await whole(1)).toEqual(exported);
    },
  );

  test.each(departures)('are exact when one of two that follow each other is %s', async (_, leave, restoreIt) => {
    await mingle();
    const before = await rows();
    await leave();
    await work();
    await deleteAccount(bob);
    await work();
    expect(await miscounted()).toEqual([]);
    await restoreIt(nameOfAlice());
    await work();
    expect(await accountCounters(alice)).toEqual({ followers: 0, following: 1, posts: 1 });
    expect(await miscounted()).toEqual([]);
    await restore(`bobby_${String(people)}`);
    await work();
    expect(await rows()).toEqual(before);
    expect(await miscounted()).toEqual([]);
  });

  test('equal the rows while others write and several workers run the job', async () => {
    const posts = await mingle();
    await deleteAccount(alice);
    const others = posts
      .slice(0, 3)
      .flatMap((id) => [
        act(bob, 'POST /likes/add', item(id)),
        act(carol, 'POST /likes/delete', item(id)),
        act(carol, 'POST /comment/create', { ...item(id), text: 'in parallel' }),
      ]);
    await Promise.all([work(1), work(1), work(2), act(bob, 'POST /follows/delete', { id: carol }), ...others]);
    expect(await miscounted()).toEqual([]);
    await restorers['its owner'](nameOfAlice());
    await Promise.all([work(1), work(1), work(2), act(bob, 'POST /follows/add', { id: carol })]);
    expect(await miscounted()).toEqual([]);
    expect(await api.db.prisma.setAside.count({ where: { accountId: alice } })).toBe(0);
  });

  test('likes and comments on a post deleted in the meantime are not restored', async () => {
    const [first = 0] = await mingle();
    await deleteAccount(alice);
    await work();
    await api.db.prisma.post.delete({ where: { id: first } });
    await api.db.prisma.account.update({ where: { id: bob }, data: { postsCount: { decrement: 1 } } });
    await restore(nameOfAlice());
    await work();
    expect((await rows()).map((list) => list.length)).toEqual([3, 6, 3, 3]);
    expect(await miscounted()).toEqual([]);
  });

  test('an interruption of the job loses nothing', async () => {
    await mingle();
    const before = await rows();
    await deleteAccount(alice);
    const stop = new AbortController();
    const working = processDeletions({
      db: api.db,
      accounts: createAccounts(api.db),
      eraseRegistrations,
      batchSize: 1,
      stopping: stop.signal,
    });
    setTimeout(() => stop.abort(), 15);
    await working;
    await restore(nameOfAlice());
    await work();
    expect(await rows()).toEqual(before);
    expect(await miscounted()).toEqual([]);
  });
});

test('counters stay exact when what hid the account changes, and the job looks at nothing once all has moved', async () => {
  await mingle();
  const before = await rows();
  await suspend();
  await work();
  await api.db.prisma.account.update({ where: { id: alice }, data: { deletedAt: new Date(), suspendedAt: null } });
  await work();
  expect([await rows(), await miscounted()]).toEqual([[[], [], [], []], []]);
  await restore(nameOfAlice());
  const moving = async () => await api.db.prisma.account.count({ where: { movingSince: { not: null } } });
  const hourAgo = async () =>
    await api.db.prisma.account.updateMany({
      where: { movingSince: { not: null } },
      data: { movingSince: new Date(Date.now() - 3_600_000) },
    });
  await hourAgo();
  await work();
  expect([await rows(), await miscounted(), await moving()]).toEqual([before, [], 0]);
  await suspend();
  await work();
  expect(await moving()).toBe(1);
  await hourAgo();
  await work();
  expect(await moving()).toBe(0);
});

describe('after 14 days', () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const deletedAgo = async (id: number, count: number) =>
    await api.db.prisma.account.update({ where: { id }, data: { deletedAt: days(count) } });

  test('an account can be restored until then, and is erased afterwards', async () => {
    const postId = await post(alice, 'hello');
    await act(bob, 'POST /likes/add', item(postId));
    await act(bob, 'POST /comment/create', { ...item(postId), text: 'hi' });
    await act(alice, 'POST /follows/add', { id: bob });
    await act(alice, 'POST /account/update_username', { username: `alicia_${String(people)}` });
    await deleteAccount(alice);
    await deletedAgo(alice, 13.9);
    await work();
    expect(await api.db.prisma.post.count({ where: { authorId: alice } })).toBe(1);
    await deletedAgo(alice, 14.1);
    for (const restoreIt of Object.values(restorers)) expect(await restoreIt(`alicia_${String(people)}`)).toBe(false);
    await work();

    expect(await api.db.prisma.post.count({ where: { authorId: alice } })).toBe(0);
    expect(await api.db.prisma.setAside.count({ where: { accountId: alice } })).toBe(0);
    expect(await miscounted()).toEqual([]);
    const left = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
    expect(
      JSON.stringify(left, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    ).not.toMatch(/alic|example|Ada|argon/i);
    for (const username of [nameOfAlice(), `alicia_${String(people)}`]) {
      expect((await api.register(username)).username).toBe(username);
    }
    await work();
    expect(await restore(left.username)).toBe(false);
    expect((await api.call(`GET /users/show?id=${String(alice)}`)).status).toBe(404);
  });

  test('a restored follower no longer follows an erased account', async () => {
    await act(bob, 'POST /follows/add', { id: alice });
    await deleteAccount(bob);
    await work();
    await deleteAccount(alice);
    await deletedAgo(alice, 15);
    await work();
    await restore(`bobby_${String(people)}`);
    await work();
    expect(await accountCounters(bob)).toEqual({ followers: 0, following: 0, posts: 0 });
    expect(await miscounted()).toEqual([]);
  });
});
