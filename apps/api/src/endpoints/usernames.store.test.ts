import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };

async function rename(acct: number, username: string) {
  const body = JSON.stringify({ username });
  return await api.call('POST /account/update_username', { claims: { acct }, body, headers: json });
}
async function register(username: string) {
  const body = JSON.stringify({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `${crypto.randomUUID()}@example.org`,
    password: 'secret',
    username,
  });
  return await api.call('POST /auth/register', { body, headers: json });
}
async function isTaken(username: string): Promise<boolean> {
  return (await api.call(`GET /account/check_username?username=${username}`)).body.response.status === 1;
}
async function nameOf(id: number): Promise<string> {
  return (await api.call(`GET /users/show?id=${String(id)}`)).body.username;
}
const result = (status: 0 | 1, username: string) => ({ response: { status, username }, status, username });
const endReservation = async (usernameCi: string) =>
  await api.db.prisma.oldUsername.update({ where: { usernameCi }, data: { until: new Date(0) } });

describe('POST /account/update_username (D41)', () => {
  test('changes the username and returns it in both forms', async () => {
    const { id } = await api.register('first_name');
    const { status, body } = await rename(id, 'Second_Name');
    expect([status, body]).toEqual([200, result(0, 'Second_Name')]);
    expect(await nameOf(id)).toBe('Second_Name');
  });

  test('the current username of the account is available to it, in any case', async () => {
    const { id } = await api.register('own_name');
    expect((await rename(id, 'own_name')).body).toEqual(result(0, 'own_name'));
    expect((await rename(id, 'OWN_Name')).body).toEqual(result(0, 'OWN_Name'));
    expect(await nameOf(id)).toBe('OWN_Name');
    expect(await api.db.prisma.oldUsername.count({ where: { accountId: id } })).toBe(0);
  });

  test('a name of another account, in any case, and a reserved word are taken: 200, status 1, nothing changed', async () => {
    await api.register('other_name');
    const { id } = await api.register('keeps_this');
    for (const wanted of ['other_name', 'OTHER_NAME', 'admin', 'Settings']) {
      const { status, body } = await rename(id, wanted);
      expect([wanted, status, body]).toEqual([wanted, 200, result(1, 'keeps_this')]);
    }
    expect(await nameOf(id)).toBe('keeps_this');
  });

  test('requires the scope users and a token with an account', async () => {
    const { id } = await api.register('scoped_name');
    const body = '{"username":"not_scoped"}';
    const narrow = await api.call('POST /account/update_username', {
      claims: { acct: id, scope: 'users:read posts' },
      body,
      headers: json,
    });
    const alone = await api.call('POST /account/update_username', { body, headers: json });
    expect([narrow.body.code, alone.body.code]).toEqual(['insufficient_scope', 'user-context-required']);
  });
});

describe('an old username (D40)', () => {
  test('is reserved for 30 days, then available', async () => {
    const { id } = await api.register('given_up');
    const other = await api.register('wants_it');
    await rename(id, 'moved_on');
    const { until } = await api.db.prisma.oldUsername.findUniqueOrThrow({ where: { usernameCi: 'given_up' } });
    expect((until.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 1);

    expect(await isTaken('Given_Up')).toBe(true);
    expect((await register('GIVEN_UP')).body.code).toBe('username-taken');
    expect((await rename(other.id, 'given_up')).body).toEqual(result(1, 'wants_it'));

    await endReservation('given_up');
    expect(await isTaken('given_up')).toBe(false);
    expect((await rename(other.id, 'given_up')).body).toEqual(result(0, 'given_up'));
    expect((await rename(id, 'given_up')).body).toEqual(result(1, 'moved_on'));
  });

  test('can be registered after the reservation, and become an old username again', async () => {
    const { id } = await api.register('once_mine');
    await rename(id, 'once_more');
    await endReservation('once_mine');
    const { status, body } = await register('once_mine');
    expect(status).toBe(200);
    await rename(body.user.id, 'yet_another');
    const old = await api.db.prisma.oldUsername.findUniqueOrThrow({ where: { usernameCi: 'once_mine' } });
    expect([Number(old.accountId), old.until > new Date()]).toEqual([body.user.id, true]);
  });

  test('can be restored by its owner', async () => {
    const { id } = await api.register('to_and_fro');
    await rename(id, 'fro_and_to');
    expect((await rename(id, 'TO_and_fro')).body).toEqual(result(0, 'TO_and_fro'));
    const old = await api.db.prisma.oldUsername.findMany({ where: { accountId: id } });
    expect(old.map(({ usernameCi }) => usernameCi)).toEqual(['fro_and_to']);
  });

  test('a mention leads to the account after a rename, wherever the text is shown', async () => {
    const { id } = await api.register('renamed_1');
    const other = await api.register('renamed_other');
    const writer = await api.register('renamed_by');
    const get = async (request: string) => (await api.call(`GET ${request}`, { claims: { acct: writer.id } })).body;
    const send = async (path: string, values: Record<string, unknown>) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(values);
      return (await api.call(`POST ${path}`, { claims: { acct: writer.id }, body, headers })).body;
    };
    const text = '💙 @renamed_1, @renamed_other: @RENAMED_1';
    const { items: post } = await send('/post/create', { message: text });
    const comment = await send('/comment/create', { item_id: post.id, type: 'post', text });
    await rename(id, 'renamed_2');
    await send('/blocks/add', { id: other.id });
    const mentions = [
      { id, indices: [2, 12] },
      { id, indices: [30, 40] },
    ];
    const shown: unknown[] = [
      (await get(`/post/show?id=${String(post.id)}`)).items,
      (await get(`/post?user_id=${String(writer.id)}`)).items[0],
      (await get(`/comment/show?id=${String(comment.id)}`)).items,
      (await get(`/comment?item_id=${String(post.id)}&type=post`)).items[0],
    ];
    await send('/post/edit', { id: post.id, message: 'later' });
    shown.push((await get(`/post/history?id=${String(post.id)}`)).items[1]);
    for (const item of shown) {
      expect(item).toMatchObject({ mentions, user_definition: [{ id, username: 'renamed_2' }] });
    }
    const page = await api.get(`/p/${String(post.id)}`);
    expect(page.text.match(/href="[^"]*\/@renamed_2"[^>]*>(?:<[^>]*>)*@renamed_1/gi)).toHaveLength(2);
  });

  test('is not a mention in a new post; older mentions show the new name', async () => {
    const { id } = await api.register('mentioned_1');
    const writer = await api.register('writer_one');
    const post = async (message: string) =>
      (await api.call(`GET /post/create?message=${message}`, { claims: { acct: writer.id } })).body.items;
    const older = await post('hello+@mentioned_1');
    await rename(id, 'mentioned_2');
    expect((await post('hello+@mentioned_1')).user_definition).toEqual([]);
    expect((await post('hello+@mentioned_2')).user_definition).toMatchObject([{ id }]);
    const { body } = await api.call(`GET /post/show?id=${String(older.id)}`);
    expect(body.items.user_definition).toMatchObject([{ id, username: 'mentioned_2' }]);
  });
});

describe('races for a name', () => {
  test('AC4 of 50 parallel renames to one name, one succeeds', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => await api.register(`runner_${String(index)}`)),
    );
    const responses = await Promise.all(accounts.map(async ({ id }) => await rename(id, 'finish_line')));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(responses.filter(({ body }) => body.status === 0)).toHaveLength(1);
    expect(await api.db.prisma.account.count({ where: { usernameCi: 'finish_line' } })).toBe(1);
    expect(await api.db.prisma.oldUsername.count({ where: { usernameCi: { startsWith: 'runner_' } } })).toBe(1);
  });

  test('of parallel renames and registrations, one succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `contested_${String(round)}`;
      const { id } = await api.register(`renamer_${String(round)}`);
      const [registered, renamed] = await Promise.all([register(name), rename(id, name)]);
      expect([
        [200, 1],
        [409, 0],
      ]).toContainEqual([registered.status, renamed.body.status]);
    }
  });

  test('a name stays reserved when others request it while it is given up', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `leaving_${String(round)}`;
      const owner = await api.register(name);
      const wanting = await api.register(`wanting_${String(round)}`);
      const [left, renamed, registered] = await Promise.all([
        rename(owner.id, `left_${String(round)}`),
        rename(wanting.id, name),
        register(name),
      ]);
      expect([left.body.status, renamed.body.status, registered.status]).toEqual([0, 1, 409]);
      expect(await api.db.prisma.account.count({ where: { usernameCi: name } })).toBe(0);
    }
  });

  test('two accounts cannot swap their names', async () => {
    const [a, b] = [await api.register('swap_left'), await api.register('swap_right')];
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all([rename(a.id, 'swap_right'), rename(b.id, 'swap_left')]);
      expect(responses.map(({ body }) => body)).toEqual([result(1, 'swap_left'), result(1, 'swap_right')]);
    }
  });

  test('parallel renames of one account leave one name and reserve the others', async () => {
    const { id } = await api.register('many_names');
    const wanted = Array.from({ length: 10 }, (_, index) => `many_names_${String(index)}`);
    const responses = await Promise.all(wanted.map(async (name) => await rename(id, name)));
    expect(responses.map(({ body }) => body.status)).toEqual(wanted.map(() => 0));
    const now = await nameOf(id);
    const old = await api.db.prisma.oldUsername.findMany({ where: { accountId: id } });
    expect(old.map(({ usernameCi }) => usernameCi).toSorted()).toEqual(
      ['many_names', ...wanted].filter((name) => name !== now).toSorted(),
    );
  });

  test('an account reserves at most ten old names and can always restore one of them', async () => {
    const { id } = await api.register('hoarder_00');
    for (let round = 1; round <= 10; round += 1) {
      expect((await rename(id, `hoarder_${String(round).padStart(2, '0')}`)).body.status).toBe(0);
    }
    const refused = await rename(id, 'hoarder_11');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    const thirtyDays = 30 * 86_400;
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(thirtyDays - 600);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(thirtyDays);
    expect(await nameOf(id)).toBe('hoarder_10');
    expect((await rename(id, 'HOARDER_10')).body.status).toBe(0);
    expect((await rename(id, 'hoarder_00')).body.status).toBe(0);
    expect((await rename(id, 'hoarder_11')).status).toBe(429);
    await api.db.prisma.oldUsername.update({ where: { usernameCi: 'hoarder_01' }, data: { until: new Date(0) } });
    expect((await rename(id, 'hoarder_11')).body.status).toBe(0);
  });
});
