import { afterAll, beforeAll, expect, test } from 'vitest';

import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import type { CallApi } from '../support/api-client.ts';

/** The steps of the README against the started service: application, token, account, posts. */

let service: Service;
let call: CallApi;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

test('an application gets a token by client credentials', async () => {
  const client = await createClient(service.env, 'ada_lovelace');
  const { status, body: token } = await requestToken(service.baseUrl, client);
  expect(status).toBe(200);
  expect(token).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'users posts email',
    app_id: client.id,
  });
  call = createApiCaller(service.baseUrl, token.access_token);
});

test('it registers an account, but not twice', async () => {
  const person = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org', password: 'nanosecond' };
  expect((await call('GET /auth/is_email?email=grace@example.org')).body).toEqual({ response: 0 });
  const { status, body } = await call('POST /auth/register', person);
  expect([status, body.message, body.user.username]).toEqual([200, 'succeeded', 'grace_hopper']);
  expect((await call('POST /auth/register', person)).status).toBe(409);
  expect((await call('GET /auth/is_email?email=grace@example.org')).body).toEqual({ response: 1 });
  expect((await call('GET /account/check_username?username=Grace_Hopper')).body).toEqual({ response: { status: 1 } });
});

test('it posts as its owner, reads the post and lists it', async () => {
  const created = await call('GET /post/create?message=Hello+%23Linnet,+hello+@grace_hopper');
  expect([created.status, created.body.status]).toEqual([200, 'succeeded']);
  const post = created.body.items;
  expect(post).toMatchObject({
    text: 'Hello #Linnet, hello @grace_hopper',
    user: { username: 'ada_lovelace' },
    hashtags: [{ text: 'Linnet' }],
    user_definition: [{ username: 'grace_hopper' }],
  });
  expect((await call(`GET /post/show?id=${String(post.id)}`)).body.items).toEqual(post);
  const listed = await call(`GET /post?user_id=${String(post.user.id)}`);
  expect(listed.body).toEqual({ total: 1, count: 1, items: [post], prev: expect.any(String) });
  const shown = await call('GET /users/show');
  expect(shown.body).toMatchObject({
    username: 'ada_lovelace',
    email: 'ada_lovelace@example.org',
    post: { id: post.id },
  });
});

test('its data survives a restart', async () => {
  const before = (await call('GET /users/show')).body;
  await using again = await restart();
  expect(
    (await createApiCaller(again.baseUrl, await freshToken(again))('GET /users/show?username=ada_lovelace')).body,
  ).toMatchObject({
    id: before.id,
    post: before.post,
  });
});

async function restart(): Promise<Service> {
  const { env } = service;
  service.process.kill('SIGTERM');
  await service.exited;
  return await startService({ env });
}

async function freshToken({ baseUrl, env }: Service): Promise<string> {
  const client = await createClient(env, 'second_owner');
  return (await requestToken(baseUrl, client)).body.access_token;
}
