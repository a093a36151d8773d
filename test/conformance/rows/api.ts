import { expect } from 'vitest';

import type { Rows } from '../row.ts';
import type { World } from '../world.ts';
import { createComment, createPost, upload } from '../writing.ts';

/** The purpose of the service, rules for all requests, errors and versions. */

async function get({ baseUrl }: Pick<World, 'baseUrl'>, path: string, headers: Readonly<Record<string, string>>) {
  const fetched = await fetch(`${baseUrl}${path}`, { headers });
  return {
    status: fetched.status,
    type: fetched.headers.get('content-type'),
    headers: fetched.headers,
    body: await fetched.json(),
  };
}

function bearer({ alice }: World) {
  return { authorization: `Bearer ${alice.accessToken}` };
}

const json = { accept: 'application/json' };

/** Both headers are required. */
async function needsTokenAndAccept(world: World): Promise<void> {
  const path = '/api/v2.0/users/show';
  expect((await get(world, path, { ...bearer(world), ...json })).status).toBe(200);
  const withoutToken = await get(world, path, json);
  expect([withoutToken.status, withoutToken.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('Bearer'),
  ]);
  expect((await get(world, path, { ...bearer(world), accept: 'text/html' })).status).toBe(406);
}

/** Content of a protected account is visible to its owner and approved followers, but not to strangers. */
async function isForApprovedAlone(world: World): Promise<void> {
  const { alice, bob } = world;
  const mediaId = await upload(world);
  const post = await createPost(alice, 'for followers', mediaId);
  await bob.call('POST /follows/delete', { id: alice.id });
  await alice.call('POST /account/update', { protected: true });
  const ask = async () => [
    (await bob.call(`GET /post/show?id=${String(post.id)}`)).status,
    (await bob.call(`GET /post?user_id=${String(alice.id)}`)).status,
    (await bob.call(`GET /media/show?id=${String(mediaId)}`)).status,
    (await bob.call(`GET /media?user_id=${String(alice.id)}`)).status,
  ];
  const asStranger = await ask();
  await bob.call('POST /follows/add', { id: alice.id });
  const asRequester = await ask();
  await alice.call('POST /follows/requests/approve', { id: bob.id });
  const asFollower = await ask();
  await bob.call('POST /follows/delete', { id: alice.id });
  await alice.call('POST /account/update', { protected: false });
  expect([asStranger, asRequester, asFollower]).toEqual([
    [404, 403, 404, 403],
    [404, 403, 404, 403],
    [200, 200, 200, 200],
  ]);
}

export const apiRows: Rows = {
  'Microblog Service REST API Specification': {
    'This single document covers': async ({ baseUrl }) => {
      const { paths } = await (await fetch(`${baseUrl}/api/v2.0/openapi.json`)).json();
      const nouns = new Set(Object.keys(paths).map((path) => path.split('/')[1]));
      for (const noun of ['account', 'users', 'post', 'comment', 'likes', 'media', 'auth']) {
        expect(nouns).toContain(noun);
      }
    },
    'Paths below are relative to': async (world) => {
      expect((await get(world, '/api/v2.0/users/show', { ...bearer(world), ...json })).status).toBe(200);
      expect((await get(world, '/api/v2.0/oauth/token', { ...bearer(world), ...json })).status).toBe(404);
    },
  },
  'What the service does': {
    'The service is a microblogging platform': async ({ alice }) => {
      expect(await createPost(alice)).toMatchObject({ text: 'hello' });
    },
    'register user accounts': async ({ alice }) => {
      const email = `${String(Math.random()).slice(2)}@example.org`;
      const person = { last_name: 'Hopper', first_name: 'Grace', email, password: 'secret' };
      const { body } = await alice.call('POST /auth/register', person);
      expect((await alice.call(`GET /auth/is_email?email=${email}`)).body).toEqual({ response: 1 });
      const checked = await alice.call(`GET /account/check_username?username=${body.user.username}`);
      expect(checked.body).toEqual({ response: { status: 1 } });
    },
    'read account information': async ({ alice, bob }) => {
      for (const path of ['show', 'followers', 'following', 'favorites']) {
        expect((await alice.call(`GET /users/${path}?id=${String(bob.id)}`)).status).toBe(200);
      }
    },
    "change the current user's username": async ({ alice }) => {
      const { body } = await alice.call('POST /account/update_username', { username: alice.username });
      expect(body).toMatchObject({ status: 0, username: alice.username });
    },
    'create posts, read one post': async ({ alice }) => {
      const post = await createPost(alice);
      expect((await alice.call(`GET /post/show?id=${String(post.id)}`)).body.items).toEqual(post);
      expect((await alice.call(`GET /post?user_id=${String(alice.id)}&count=1`)).body.items).toEqual([post]);
    },
    'add comments to a post': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      const comment = await createComment(bob, id);
      const { body } = await alice.call(`GET /comment?item_id=${String(id)}&type=post`);
      expect(body.items.map((listed: { id: number }) => listed.id)).toEqual([comment.id]);
    },
    'like and unlike posts': async ({ alice, bob }) => {
      const like = { item_id: (await createPost(alice)).id, type: 'post' };
      expect((await bob.call('POST /likes/add', like)).body).toEqual({ count: 1 });
      expect((await bob.call('POST /likes/delete', like)).body).toEqual({ count: 0 });
    },
    'upload images and attach them': async (world) => {
      const id = await upload(world);
      const post = await createPost(world.alice, 'with a picture', id);
      expect(post.media.image).toMatch(/^https?:/);
      expect((await world.alice.call(`GET /media/show?id=${String(id)}`)).body.item_id).toBe(post.id);
      expect((await world.alice.call('GET /media?count=1')).body.items[0].id).toBe(id);
    },
    'Access requires an OAuth 2.0 access token': async (world) => {
      for (const path of [
        '/post/show?id=1',
        '/auth/is_email?email=a@example.org',
        '/account/check_username?username=abcde',
      ]) {
        expect((await get(world, `/api/v2.0${path}`, json)).status).toBe(401);
      }
    },
  },
  'Common rules': {
    'All API calls below carry the header': needsTokenAndAccept,
    'The examples also send': async (world) => {
      const sent = { ...bearer(world), ...json };
      expect((await get(world, '/api/v2.0/users/show', { ...sent, 'content-type': 'application/json' })).status).toBe(
        200,
      );
      expect((await get(world, '/api/v2.0/users/show', sent)).status).toBe(200);
    },
    'Success is HTTP 200 OK': async (world) => {
      const { status, type } = await get(world, '/api/v2.0/users/show', { ...bearer(world), ...json });
      expect([status, type]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    },
    'Query parameters are passed in the URI': async ({ alice, bob }) => {
      expect((await alice.call(`GET /users/show?id=${String(bob.id)}`)).body.id).toBe(bob.id);
    },
    'POST requests in the examples carry a JSON body.': async ({ alice }) => {
      const { id } = await createPost(alice);
      expect((await alice.call('POST /likes/add', { item_id: id, type: 'post' })).status).toBe(200);
      expect((await alice.call('POST /likes/add', { item_id: String(id), type: 'post' })).status).toBe(200);
    },
    'The posts and media of a protected user': isForApprovedAlone,
    'List endpoints take `count`': async ({ alice }) => {
      await createPost(alice, 'older');
      await createPost(alice, 'newer');
      const texts = async (query: string) =>
        (await alice.call(`GET /post?user_id=${String(alice.id)}&${query}`)).body.items.map(
          ({ text }: { text: string }) => text,
        );
      expect([await texts('count=1'), await texts('count=1&page=2')]).toEqual([['newer'], ['older']]);
      expect((await alice.call(`GET /post?user_id=${String(alice.id)}&count=101`)).status).toBe(200);
    },
    // Decisions D26: 1-based; 0 is 1; everything else is rejected.
    'Base value of `page` and its effect: not shown.': async ({ alice }) => {
      const list = async (page: string) =>
        await alice.call(`GET /post?user_id=${String(alice.id)}&count=1&page=${page}`);
      expect((await list('0')).body).toEqual((await list('1')).body);
      for (const page of ['-1', 'x', '1.5']) expect((await list(page)).status).toBe(400);
      expect((await list('100000')).body).toMatchObject({ count: 0, items: [] });
    },
  },
  'Calling the API': { 'Send `Authorization: Bearer': needsTokenAndAccept },
  Errors: {
    'Registration fails when any of the required fields': async ({ alice }) => {
      const email = `${String(Math.random()).slice(2)}@example.org`;
      const person = { last_name: 'Hopper', first_name: 'Grace', email, password: 'secret' };
      for (const field of Object.keys(person)) {
        const { status, body } = await alice.call('POST /auth/register', { ...person, [field]: undefined });
        expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: field })]]);
      }
      expect((await alice.call(`GET /auth/is_email?email=${email}`)).body).toEqual({ response: 0 });
    },
    'Posts and media of a protected user are returned only': isForApprovedAlone,
    'A successful call returns HTTP 200 OK': async ({ alice }) => {
      const created = await alice.call('POST /post/create', { message: 'created' });
      expect([created.status, (await alice.call('GET /users/show')).status]).toEqual([200, 200]);
    },
    // Decisions D52, here and below.
    'Error status codes: not shown.': async ({ alice, ...world }) => {
      expect((await alice.call('GET /post/show?id=x')).status).toBe(400);
      expect((await alice.call('GET /post/show?id=1')).status).toBe(404);
      expect((await alice.call('POST /post/show')).status).toBe(405);
      expect((await get(world, '/api/v2.0/post/show?id=1', json)).status).toBe(401);
    },
    'Error body shape and error codes: not shown.': async ({ alice, baseUrl }) => {
      const headers = { authorization: `Bearer ${alice.accessToken}`, ...json };
      const { type, body } = await get({ baseUrl }, '/api/v2.0/post/show?id=x', headers);
      expect(type).toMatch(/^application\/problem\+json/);
      expect(body).toEqual({
        type: expect.any(String),
        title: expect.any(String),
        status: 400,
        detail: expect.any(String),
        code: 'invalid-parameter',
        errors: [{ parameter: 'id', code: 'invalid', detail: expect.any(String) }],
        request_id: expect.any(String),
      });
    },
  },
  Versioning: {
    'The API version is part of the path': async (world) => {
      const other = await get(world, '/api/v1.0/users/show', { ...bearer(world), ...json });
      expect([other.status, other.body.versions]).toEqual([404, ['v2.0']]);
    },
    'The version shown is 2.0.': async ({ baseUrl }) => {
      const { info } = await (await fetch(`${baseUrl}/api/v2.0/openapi.json`)).json();
      expect(info.version).toMatch(/^2\.0/);
    },
    'The OAuth endpoints sit outside that prefix': async ({ baseUrl }) => {
      const token = await fetch(`${baseUrl}/oauth/token`, { method: 'POST' });
      const authorize = await fetch(`${baseUrl}/oauth/authorize`);
      expect([token.status, authorize.status]).toEqual([400, 400]);
    },
    // Decisions D55: version 2.0 only grows; unknown members are ignored.
    'Versioning policy, deprecation': async ({ alice }) => {
      const path = `GET /users/show?id=${String(alice.id)}&added_later=1`;
      expect((await alice.call(path)).status).toBe(200);
    },
  },
};
