import { randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import type { Rows } from '../row.ts';
import type { World } from '../world.ts';
import { createPost } from '../writing.ts';

/** Accounts and users; registration. */

const unused = () => `u_${randomBytes(8).toString('hex')}`;
const person = () => ({
  last_name: 'Hopper',
  first_name: 'Grace',
  email: `${unused()}@example.org`,
  password: 'secret',
});

async function register({ alice }: World, more: Readonly<Record<string, string>> = {}) {
  return await alice.call('POST /auth/register', { ...person(), ...more });
}

export const accountRows: Rows = {
  'Accounts and users': {
    'GET /users/show |': async ({ alice, bob }) => {
      const { post, ...account } = (await alice.call('GET /users/show')).body;
      expect(account).toMatchObject({
        objectType: 'account',
        id: alice.id,
        email: expect.stringContaining('@'),
        language: expect.any(String),
        created: expect.any(String),
      });
      const latest = await createPost(alice, 'the latest');
      expect((await bob.call(`GET /users/show?id=${String(alice.id)}`)).body.post.id).toBe(latest.id);
      expect(post?.id).not.toBe(latest.id);
      await alice.call('POST /account/update', { protected: true });
      const hidden = (await bob.call(`GET /users/show?id=${String(alice.id)}`)).body;
      await alice.call('POST /account/update', { protected: false });
      expect([hidden.id, hidden.post]).toEqual([alice.id, undefined]);
    },
    'GET /users/is |': async ({ alice, bob }) => {
      expect((await alice.call(`GET /users/is?id=${String(bob.id)}`)).body.response).toEqual({ user: 0 });
      expect((await alice.call('GET /users/is?id=1')).body.response).toEqual({ user: 1 });
      expect((await alice.call('GET /users/is')).status).toBe(400);
    },
    'GET /users/followers |': async ({ alice, bob }) => {
      await alice.call('POST /follows/add', { id: bob.id });
      const { body } = await alice.call(`GET /users/followers?id=${String(bob.id)}&count=1&page=1`);
      expect(body).toMatchObject({ total: 1, count: 1, items: [{ objectType: 'account', id: alice.id }] });
      expect((await alice.call('GET /users/followers')).status).toBe(400);
    },
    'GET /users/following |': async ({ alice, bob }) => {
      await alice.call('POST /follows/add', { id: bob.id });
      const { body } = await alice.call(`GET /users/following?id=${String(alice.id)}&count=1&page=1`);
      expect(body).toMatchObject({ total: 1, count: 1, items: [{ objectType: 'account', id: bob.id }] });
      expect((await alice.call('GET /users/following')).status).toBe(400);
    },
    'GET /users/favorites |': async ({ alice, bob }) => {
      const post = await createPost(alice, 'a favorite');
      await bob.call('POST /likes/add', { item_id: post.id, type: 'post' });
      const { body } = await alice.call(`GET /users/favorites?id=${String(bob.id)}&count=1&page=1`);
      expect(body).toMatchObject({ count: 1, items: [{ id: post.id, text: 'a favorite' }] });
      expect((await alice.call('GET /users/favorites')).status).toBe(400);
    },
    'GET /account/check_username |': async ({ alice }) => {
      const check = async (name: string) => await alice.call(`GET /account/check_username?username=${name}`);
      expect((await check(alice.username.toUpperCase())).body).toEqual({ response: { status: 1 } });
      expect((await check(unused())).body).toEqual({ response: { status: 0 } });
      for (const name of ['', 'abcd', 'x'.repeat(33), 'with-dash', '%C3%BCmlaut']) {
        expect((await check(name)).status).toBe(400);
      }
    },
    'POST /account/update_username |': async ({ alice, bob }) => {
      const name = unused().slice(0, 32);
      const changed = await bob.call('POST /account/update_username', { username: name });
      expect(changed).toEqual({
        status: 200,
        body: { response: { status: 0, username: name }, status: 0, username: name },
      });
      expect((await bob.call('GET /users/show')).body.username).toBe(name);
      const taken = await bob.call('POST /account/update_username', { username: alice.username });
      expect(taken.body).toEqual({ response: { status: 1, username: name }, status: 1, username: name });
      expect((await bob.call('POST /account/update_username', { username: 'abcd' })).status).toBe(400);
      expect((await bob.call('POST /account/update_username', { username: bob.username })).body.status).toBe(0);
    },
  },
  Registration: {
    'POST /auth/register |': async ({ alice }) => {
      const wanted = person();
      const { status, body } = await alice.call('POST /auth/register', wanted);
      expect([status, body.message]).toEqual([200, expect.stringContaining('succeeded')]);
      expect(body.user).toMatchObject({ objectType: 'account', name: { first_name: 'Grace', last_name: 'Hopper' } });
      expect((await alice.call('POST /auth/register', { ...person(), password: '12345' })).status).toBe(400);
      expect((await alice.call('POST /auth/register', { ...person(), password: '123456' })).status).toBe(200);
      expect((await alice.call('POST /auth/register', wanted)).status).toBe(409);
    },
    'GET /auth/is_email |': async (world) => {
      const email = `${unused()}@example.org`;
      const check = async () => (await world.alice.call(`GET /auth/is_email?email=${email}`)).body;
      expect(await check()).toEqual({ response: 0 });
      await register(world, { email });
      expect(await check()).toEqual({ response: 1 });
      expect((await world.alice.call('GET /auth/is_email')).status).toBe(400);
    },
    // Decisions D43: as named, and by POST on the same path; the register path is never a check.
    'The example request for the e-mail check': async ({ alice }) => {
      const email = `${unused()}@example.org`;
      expect((await alice.call('POST /auth/is_email', { email })).body).toEqual({ response: 0 });
      expect((await alice.call('POST /auth/register', { email })).status).toBe(400);
      expect((await alice.call('POST /auth/is_email', { email })).body).toEqual({ response: 0 });
    },
  },
};
