import { expect, inject, test } from 'vitest';

import { eventually, runLinnet, statusOf } from '../support/service.ts';
import { createApiCaller, createClient, password, requestToken } from '../support/api-client.ts';

/** An account is deleted, and an operator restores it, while the service runs. */

const suffix = crypto.randomUUID().slice(0, 8);

async function createPerson(name: string) {
  const { baseUrl, env } = inject('service');
  const username = `${name}_${suffix}`;
  const client = await createClient(env, username);
  const { body: token } = await requestToken(baseUrl, client);
  const call = createApiCaller(baseUrl, token.access_token);
  return { username, call, id: Number((await call('GET /users/show')).body.id) };
}

test('deleting an account removes its posts and its likes and follows from counts; restoring it brings all back', async () => {
  const { baseUrl, env } = inject('service');
  const leaver = await createPerson('leaver');
  const friend = await createPerson('friend');
  const post = (await friend.call('POST /post/create', { message: 'hello' })).body.items;
  const own = (await leaver.call('POST /post/create', { message: 'mine' })).body.items;
  await leaver.call('POST /likes/add', { item_id: post.id, type: 'post' });
  await leaver.call('POST /follows/add', { id: friend.id });
  const countsOfFriend = async () => {
    const { action } = (await friend.call(`GET /post/show?id=${String(post.id)}`)).body.items;
    return [action.likes, (await friend.call('GET /users/show')).body.action.followers];
  };
  expect(await countsOfFriend()).toEqual([1, 1]);

  expect((await leaver.call('POST /account/delete', { password: 'not the password' })).status).toBe(403);
  expect((await leaver.call('POST /account/delete', { password })).status).toBe(200);
  expect(await statusOf(`${baseUrl}/@${leaver.username}`)).toBe(404);
  expect(await statusOf(`${baseUrl}/p/${String(own.id)}`)).toBe(404);
  expect((await friend.call(`GET /post/show?id=${String(own.id)}`)).status).toBe(404);
  await eventually('counters are updated', async () => (await countsOfFriend()).join() === '0,0');

  const linnet = async (...args: string[]) => {
    const { exitCode, stdout } = await runLinnet([...args, '--json'], env);
    return [exitCode, JSON.parse(stdout)];
  };
  expect(await linnet('user', 'show', leaver.username)).toMatchObject([0, { deleted: expect.any(String) }]);
  expect(await linnet('user', 'restore', leaver.username)).toEqual([0, { ok: true }]);
  expect(await linnet('user', 'restore', `nobody_${suffix}`)).toMatchObject([
    1,
    { error: { code: 'account-not-found' } },
  ]);
  expect(await statusOf(`${baseUrl}/@${leaver.username}`)).toBe(200);
  expect(await statusOf(`${baseUrl}/p/${String(own.id)}`)).toBe(200);
  await eventually('counters are restored', async () => (await countsOfFriend()).join() === '1,1');

  expect(await linnet('user', 'verify', leaver.username)).toEqual([0, { ok: true }]);
  expect((await friend.call(`GET /users/show?id=${String(leaver.id)}`)).body.verified).toBe(1);
  expect(await linnet('user', 'unverify', leaver.username)).toEqual([0, { ok: true }]);
  expect(await linnet('user', 'set-password', leaver.username, '--password', 'short')).toMatchObject([
    1,
    { error: { code: 'invalid-account' } },
  ]);
  for (const weak of ['hunter22', leaver.username]) {
    expect(await linnet('user', 'set-password', leaver.username, '--password', weak)).toMatchObject([
      1,
      { error: { code: 'invalid-account' } },
    ]);
  }
  expect(await linnet('user', 'set-password', leaver.username, '--password', 'another one')).toEqual([0, { ok: true }]);
});
