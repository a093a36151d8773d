import pg from 'pg';
import { expect, inject } from 'vitest';

import type { Rows } from '../row.ts';
import type { Actor, World } from '../world.ts';
import { createComment, createPost, upload } from '../writing.ts';

/** Limits. */

const window = 3000;
const manyPosts = `WITH written AS (
    INSERT INTO post (author_id, text, mention_ids) SELECT $1, 'number ' || n, '{}' FROM generate_series(1, $2::int) n)
  UPDATE account SET posts_count = posts_count + $2 WHERE id = $1`;
const manyComments = `INSERT INTO comment (post_id, author_id, text)
  SELECT $1, $2, 'number ' || n FROM generate_series(1, $3::int) n`;
const status = async (actor: Actor, target: string, body?: unknown) => (await actor.call(target, body)).status;

async function registering(world: World, changes: Readonly<Record<string, string>>): Promise<number> {
  const email = `${String(Math.random()).slice(2)}@example.org`;
  const person = { last_name: 'Hopper', first_name: 'Grace', email, password: 'secret', ...changes };
  return await status(world.alice, 'POST /auth/register', person);
}

/** Inserts the rows that thousands of calls would write. */
async function insertRows(sql: string, ...values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('service').env['DATABASE_URL'] });
  await client.connect();
  await client.query(sql, [...values]);
  await client.end();
}

/** Older records are neither counted nor reachable. */
async function endsAtWindow(actor: Actor, list: string): Promise<void> {
  const first = (await actor.call(`${list}&count=100`)).body;
  expect([first.total, first.count]).toEqual([window, 100]);
  const last = (await actor.call(`${list}&count=100&page=30`)).body;
  expect(last.count).toBe(100);
  expect((await actor.call(`${list}&count=100&page=31`)).body).toMatchObject({ total: window, count: 0, items: [] });
}

export const limitRows: Rows = {
  Limits: {
    '`message` of post creation |': async ({ alice }) => {
      expect((await createPost(alice, '💙'.repeat(400))).text).toBe('💙'.repeat(400));
      expect(await status(alice, 'POST /post/create', { message: '💙'.repeat(401) })).toBe(400);
    },
    '`count` on list endpoints |': async ({ alice }) => {
      const { id } = await createPost(alice);
      await insertRows(manyComments, id, alice.id, 101);
      const listed = async (query: string) =>
        (await alice.call(`GET /comment?item_id=${String(id)}&type=post${query}`)).body.count;
      expect([await listed(''), await listed('&count=100'), await listed('&count=500')]).toEqual([70, 100, 100]);
      expect(await listed('&count=0')).toBe(1);
      expect(await status(alice, `GET /comment?item_id=${String(id)}&type=post&count=-1`)).toBe(400);
    },
    'GET /post |': async ({ bob, alice }) => {
      const { id } = await createPost(alice, 'to be passed on');
      const before = (await bob.call(`GET /post?user_id=${String(bob.id)}`)).body.total;
      await bob.call('POST /reposts/add', { item_id: id, type: 'post' });
      expect((await bob.call(`GET /post?user_id=${String(bob.id)}`)).body.total).toBe(before + 1);
      await insertRows(manyPosts, bob.id, window - before);
      await endsAtWindow(bob, `GET /post?user_id=${String(bob.id)}`);
    },
    'GET /comment |': async ({ alice }) => {
      const { id } = await createPost(alice);
      await insertRows(manyComments, id, alice.id, window);
      await createComment(alice, id);
      await endsAtWindow(alice, `GET /comment?item_id=${String(id)}&type=post`);
    },
    // 3,001 uploads take minutes: the store tests of `apps/api` cover the window of media.
    'GET /media |': async (world) => {
      const before = (await world.alice.call('GET /media')).body.total;
      await upload(world);
      expect((await world.alice.call('GET /media')).body.total).toBe(before + 1);
      expect((await world.alice.call('GET /media?count=100&page=31')).body).toMatchObject({ count: 0, items: [] });
    },
    '`username` |': async ({ alice }) => {
      const check = async (name: string) => await status(alice, `GET /account/check_username?username=${name}`);
      for (const name of ['abcde', 'ABC_9', 'x'.repeat(32)]) expect(await check(name)).toBe(200);
      for (const name of ['abcd', 'x'.repeat(33), 'abc.de', 'abc%20de', '%D0%B0bcde']) {
        expect(await check(name)).toBe(400);
      }
    },
    '`name.first_name` |': async (world) => {
      expect([await registering(world, { first_name: 'x'.repeat(25) })]).toEqual([200]);
      expect([await registering(world, { first_name: 'x'.repeat(26) })]).toEqual([400]);
    },
    '`name.last_name` |': async (world) => {
      expect([await registering(world, { last_name: 'x'.repeat(30) })]).toEqual([200]);
      expect([await registering(world, { last_name: 'x'.repeat(31) })]).toEqual([400]);
    },
    '`password` at registration |': async (world) => {
      expect([await registering(world, { password: 'x'.repeat(6) })]).toEqual([200]);
      expect([await registering(world, { password: 'x'.repeat(5) })]).toEqual([400]);
    },
    'Upload formats |': async ({ alice, imageUrl }) => {
      expect(await status(alice, 'POST /media/upload', { media: imageUrl('png') })).toBe(200);
      expect(await status(alice, 'POST /media/upload', { media: imageUrl('jpeg') })).toBe(200);
      expect([400, 415, 422]).toContain(await status(alice, 'POST /media/upload', { media: imageUrl('gif') }));
    },
    'Access token |': async ({ alice }) => {
      const { iat, exp } = JSON.parse(Buffer.from(alice.accessToken.split('.')[1] ?? '', 'base64url').toString());
      expect(exp - iat).toBe(3600);
    },
    // Decisions D53: every operation may return 429, which states when to retry.
    'Rate limits: not shown.': async ({ baseUrl }) => {
      const { paths, components } = await (await fetch(`${baseUrl}/api/v2.0/openapi.json`)).json();
      const response = paths['/post/show'].get.responses['429'];
      const { headers } = components.responses[String(response.$ref).split('/').at(-1) ?? ''] ?? response;
      expect(Object.keys(headers)).toContain('Retry-After');
    },
    // Decisions D32: 10 MB.
    'Maximum upload size: not shown.': async ({ baseUrl, alice }) => {
      const form = new FormData();
      form.set('media', new Blob([Buffer.alloc(10 * 1024 * 1024 + 1)], { type: 'image/png' }), 'large.png');
      const response = await fetch(`${baseUrl}/api/v2.0/media/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${alice.accessToken}`, accept: 'application/json' },
        body: form,
      });
      expect(response.status).toBe(413);
    },
  },
};
