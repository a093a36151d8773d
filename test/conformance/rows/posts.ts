import { expect } from 'vitest';

import type { Rows } from '../row.ts';
import { createComment, createPost } from '../writing.ts';

/** Posts, comments, likes, and the one status that the specification shows. */

const like = (id: number) => ({ item_id: id, type: 'post' });
const item = (id: number) => `item_id=${String(id)}&type=post`;

export const postRows: Rows = {
  Posts: {
    'GET /post/show |': async ({ alice, bob }) => {
      const post = await createPost(alice);
      const { status, body } = await bob.call(`GET /post/show?id=${String(post.id)}`);
      expect([status, body]).toEqual([200, { items: post }]);
      expect((await bob.call('GET /post/show')).status).toBe(400);
      expect((await bob.call('GET /post/show?id=1')).status).toBe(404);
    },
    'GET /post |': async ({ alice, bob }) => {
      const list = async (query: string) => (await alice.call(`GET /post?user_id=${String(bob.id)}${query}`)).body;
      const before = await list('');
      const post = await createPost(bob, 'the latest');
      const original = await createPost(alice, 'to be passed on');
      await bob.call('POST /reposts/add', like(original.id));
      const after = await list('&count=2');
      expect(after).toMatchObject({ total: before.total + 2, count: 2 });
      expect(after.items.map(({ id }: { id: number }) => id)).toEqual([original.id, post.id]);
      expect((await list('&count=1&page=2')).items).toEqual([post]);
      expect((await alice.call('GET /post')).status).toBe(400);
    },
    'GET /post/create |': async ({ alice }) => {
      const { status, body } = await alice.call('GET /post/create?message=hello');
      expect([status, body]).toEqual([
        200,
        { status: 'succeeded', message: expect.any(String), items: expect.objectContaining({ text: 'hello' }) },
      ]);
      expect((await alice.call('GET /post/create')).status).toBe(400);
      expect((await alice.call(`GET /post/create?message=${'x'.repeat(401)}`)).status).toBe(400);
      expect((await alice.call('GET /post/create?message=x&media=1')).status).toBe(403);
    },
    'The create operation is a GET': async ({ alice }) => {
      const text = 'a GET with + signs, ümlauts & 💙';
      expect((await createPost(alice, text)).text).toBe(text);
    },
  },
  Comments: {
    'GET /comment |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      const texts = ['first', 'second', 'third'];
      for (const text of texts) await createComment(bob, id, text);
      const { body } = await alice.call(`GET /comment?${item(id)}&count=2`);
      expect(body).toMatchObject({ total: 3, count: 2, items: [{ text: 'third' }, { text: 'second' }] });
      expect((await alice.call(`GET /comment?item_id=${String(id)}`)).status).toBe(400);
      expect((await alice.call(`GET /comment?item_id=${String(id)}&type=media`)).status).toBe(400);
      expect((await alice.call('GET /comment?type=post')).status).toBe(400);
    },
    'GET /comment/create |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      const { status, body } = await bob.call(`GET /comment/create?${item(id)}&text=well+said`);
      expect([status, body]).toMatchObject([
        200,
        { status: 0, text: 'well said', created: expect.any(String), user: { objectType: 'account', id: bob.id } },
      ]);
      expect((await alice.call(`GET /post/show?id=${String(id)}`)).body.items.action.comments).toBe(1);
      for (const query of [item(id), `type=post&text=x`, `item_id=${String(id)}&text=x`, `${item(id)}&text=+`]) {
        expect((await bob.call(`GET /comment/create?${query}`)).status).toBe(400);
      }
    },
  },
  Likes: {
    'POST /likes/add |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      expect(await alice.call('POST /likes/add', like(id))).toEqual({ status: 200, body: { count: 1 } });
      expect(await bob.call('POST /likes/add', like(id))).toEqual({ status: 200, body: { count: 2 } });
      const { body } = await alice.call(`GET /users/favorites?id=${String(bob.id)}&count=1`);
      expect(body.items[0].id).toBe(id);
      expect((await bob.call('POST /likes/add', { item_id: id })).status).toBe(400);
      expect((await bob.call('POST /likes/add', { type: 'post' })).status).toBe(400);
    },
    'POST /likes/delete |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      await alice.call('POST /likes/add', like(id));
      await bob.call('POST /likes/add', like(id));
      expect(await bob.call('POST /likes/delete', like(id))).toEqual({ status: 200, body: { count: 1 } });
      const { body } = await alice.call(`GET /users/favorites?id=${String(bob.id)}&count=1`);
      expect(body.items[0]?.id).not.toBe(id);
      expect((await bob.call('POST /likes/delete', { item_id: id })).status).toBe(400);
    },
    'GET /likes/is_liked |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      await bob.call('POST /likes/add', like(id));
      expect((await bob.call(`GET /likes/is_liked?${item(id)}`)).body).toEqual({ response: { liked: 1 } });
      expect((await alice.call(`GET /likes/is_liked?${item(id)}`)).body).toEqual({ response: { liked: 0 } });
      expect((await bob.call(`GET /likes/is_liked?item_id=${String(id)}`)).status).toBe(400);
    },
  },
  'States and transitions': {
    'The only state shown is the like mark': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      await bob.call('POST /likes/add', like(id));
      const liked = async (actor: typeof bob) =>
        (await actor.call(`GET /likes/is_liked?${item(id)}`)).body.response.liked;
      expect([await liked(bob), await liked(alice)]).toEqual([1, 0]);
    },
    'not liked | POST /likes/add': async ({ alice }) => {
      const { id } = await createPost(alice);
      expect((await alice.call('POST /likes/add', like(id))).body).toEqual({ count: 1 });
      // Decisions D20: liking again has no effect.
      expect((await alice.call('POST /likes/add', like(id))).body).toEqual({ count: 1 });
    },
    'liked | POST /likes/delete': async ({ alice }) => {
      const { id } = await createPost(alice);
      await alice.call('POST /likes/add', like(id));
      expect((await alice.call('POST /likes/delete', like(id))).body).toEqual({ count: 0 });
      expect((await alice.call('POST /likes/delete', like(id))).body).toEqual({ count: 0 });
    },
    'GET /likes/is_liked reports the state': async ({ alice }) => {
      const { id } = await createPost(alice);
      const liked = async () => (await alice.call(`GET /likes/is_liked?${item(id)}`)).body.response.liked;
      expect(await liked()).toBe(0);
      await alice.call('POST /likes/add', like(id));
      expect(await liked()).toBe(1);
      await alice.call('POST /likes/delete', like(id));
      expect(await liked()).toBe(0);
    },
    'An access token is valid for `expires_in` seconds': async ({ alice }) => {
      const { iat, exp } = JSON.parse(Buffer.from(alice.accessToken.split('.')[1] ?? '', 'base64url').toString());
      expect(exp - iat).toBe(3600);
    },
    // Decisions D21: posts, comments and media can be deleted; afterwards they are 404.
    'Lifecycle of posts, comments, media and accounts: not shown.': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      const comment = await createComment(bob, id);
      expect((await bob.call('POST /post/delete', { id })).status).toBe(403);
      expect((await bob.call('POST /comment/delete', { id: comment.id })).status).toBe(200);
      expect((await alice.call('POST /post/delete', { id })).status).toBe(200);
      expect((await alice.call(`GET /post/show?id=${String(id)}`)).status).toBe(404);
    },
  },
};
