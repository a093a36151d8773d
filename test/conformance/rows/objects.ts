import { expect } from 'vitest';

import type { Proof, Rows } from '../row.ts';
import type { World } from '../world.ts';
import { createComment, createPost, upload } from '../writing.ts';

/** Resources and their fields. */

const created =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat), (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/;
const integer = (value: unknown) => expect(value).toSatisfy(Number.isSafeInteger);
const url = (value: unknown) => expect(URL.canParse(String(value)), String(value)).toBe(true);

/** Account objects from every endpoint that returns them. */
async function accounts({ alice, bob }: World): Promise<readonly Record<string, unknown>[]> {
  const { body: shown } = await alice.call(`GET /users/show?id=${String(bob.id)}`);
  const post = await createPost(bob);
  return [shown, post.user];
}

/** Checks a value in each account object. */
function ofAccounts(prove: (account: Record<string, unknown>, world: World) => void): Proof {
  return async (world) => {
    for (const account of await accounts(world)) prove(account, world);
  };
}

/** Fields that only GET /users/show returns. */
function shownOnly(field: string, prove: (value: unknown) => void): Proof {
  return async ({ alice }) => {
    const { body: shown } = await alice.call('GET /users/show');
    prove(shown[field]);
    expect((await createPost(alice)).user).not.toHaveProperty(field);
  };
}

function isShape(value: unknown, names: readonly string[]): void {
  expect(Object.keys(Object(value)).toSorted()).toEqual(names.toSorted());
}

/** The id of an account whose username has `length` letters. */
async function registerNamed({ alice }: World, names: Readonly<Record<string, string>>): Promise<number> {
  const email = `${String(Math.random()).slice(2)}@example.org`;
  const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: 'secret', ...names };
  return (await alice.call('POST /auth/register', person)).status;
}

export const objectRows: Rows = {
  'Resources and their fields': {
    'All timestamps named `created`': async ({ alice, bob }) => {
      const post = await createPost(alice);
      const comment = await createComment(bob, post.id);
      const shown = (await alice.call('GET /users/show')).body;
      for (const text of [post.created, comment.created, shown.created]) expect(text).toMatch(created);
    },
    // Decisions D2: UTC, with an RFC 3339 timestamp.
    'Their time zone is not stated.': async ({ alice }) => {
      const post = await createPost(alice);
      expect(Date.parse(`${post.created} UTC`)).toBe(Math.floor(Date.parse(post.created_at) / 60_000) * 60_000);
    },
  },
  'Account (user object)': {
    'objectType |': ofAccounts((account) => expect(account['objectType']).toBe('account')),
    'kind |': ofAccounts((account) => expect(account['kind']).toMatch(/^[^#]+#account$/)),
    'id |': ofAccounts((account, { bob }) => expect(account['id']).toBe(bob.id)),
    'username |': ofAccounts((account, { bob }) => {
      expect(account['username']).toBe(bob.username);
      expect(bob.username).toMatch(/^\w{5,32}$/);
    }),
    'displayName |': ofAccounts((account) => expect(account['displayName']).toMatch(/./)),
    'name |': ofAccounts((account) => isShape(account['name'], ['first_name', 'last_name'])),
    'name.first_name |': async (world) => {
      expect(await registerNamed(world, { first_name: 'é'.repeat(25) })).toBe(200);
      expect(await registerNamed(world, { first_name: 'é'.repeat(26) })).toBe(400);
      expect(await registerNamed(world, { first_name: '123 & Co.' })).toBe(200);
    },
    'name.last_name |': async (world) => {
      expect(await registerNamed(world, { last_name: '💙'.repeat(30) })).toBe(200);
      expect(await registerNamed(world, { last_name: '💙'.repeat(31) })).toBe(400);
      expect(await registerNamed(world, { last_name: 'R2-D2' })).toBe(200);
    },
    'description |': ofAccounts((account) => expect(account['description']).toBeTypeOf('string')),
    'country |': ofAccounts((account) => expect(account['country']).toBeTypeOf('string')),
    'link |': async (world) => {
      for (const { link } of await accounts(world)) {
        url(link);
        expect((await fetch(String(link))).status).toBe(200);
      }
    },
    'verified |': ofAccounts((account) => expect(account['verified']).toBe(0)),
    'avatar |': async (world) => {
      for (const { avatar } of await accounts(world)) {
        url(avatar);
        const picture = await fetch(String(avatar));
        expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
      }
    },
    'action |': async ({ alice, bob }) => {
      await alice.call('POST /follows/add', { id: bob.id });
      await createPost(bob);
      const { action } = (await alice.call(`GET /users/show?id=${String(bob.id)}`)).body;
      expect(Object.keys(action)).toEqual(['followers', 'following', 'posts']);
      for (const counter of Object.values(action)) integer(counter);
      expect([action.followers, action.posts > 0]).toEqual([1, true]);
    },
    'language |': shownOnly('language', (language) => expect(language).toMatch(/^[a-z]{2,3}(-|$)/)),
    'email |': shownOnly('email', (email) => expect(email).toContain('@')),
    'created |': shownOnly('created', (text) => expect(text).toMatch(created)),
  },
  'Post (the service object)': {
    'id |': async ({ alice }) => integer((await createPost(alice)).id),
    'text |': async ({ alice, bob }) => {
      const text = `Hello @${bob.username}, look: #linnet`;
      expect((await createPost(alice, text)).text).toBe(text);
    },
    'created |': async ({ alice }) => {
      const post = await createPost(alice);
      expect(post.created).toMatch(created);
      expect(Math.abs(Date.parse(post.created_at) - Date.now())).toBeLessThan(60_000);
    },
    'link |': async ({ alice }) => {
      const { link } = await createPost(alice);
      url(link);
      expect((await fetch(link)).status).toBe(200);
    },
    'user |': async ({ alice }) => {
      expect((await createPost(alice)).user).toMatchObject({ objectType: 'account', id: alice.id });
    },
    'media |': async (world) => {
      const plain = await createPost(world.alice);
      expect(plain.media).toEqual({ image: null, files: [] });
      const pictured = await createPost(world.alice, 'with a picture', await upload(world));
      url(pictured.media.image);
      expect(pictured.media.files).toHaveLength(1);
    },
    'media.files[] |': async (world) => {
      const [file] = (await createPost(world.alice, 'with a picture', await upload(world))).media.files;
      expect(file).toEqual({ name: expect.any(String), filesize: expect.any(Number), download: expect.any(String) });
      const picture = await fetch(file.download);
      expect((await picture.arrayBuffer()).byteLength).toBe(file.filesize);
    },
    'hashtags |': async ({ alice }) => {
      expect((await createPost(alice, 'none')).hashtags).toEqual([]);
      const { hashtags } = await createPost(alice, '#One and #two');
      expect(hashtags.map(({ text }: { text: string }) => text)).toEqual(['One', 'two']);
    },
    // Decisions D12: {url, display_url, indices}.
    'urls |': async ({ alice }) => {
      expect((await createPost(alice, 'none')).urls).toEqual([]);
      const { urls } = await createPost(alice, 'see https://example.org/a.');
      expect(urls).toEqual([{ url: 'https://example.org/a', display_url: expect.any(String), indices: [4, 25] }]);
    },
    'user_definition |': async ({ alice, bob }) => {
      expect((await createPost(alice, 'nobody')).user_definition).toEqual([]);
      const { user_definition: mentioned } = await createPost(
        alice,
        `@${bob.username.toUpperCase()} and @nobody_there`,
      );
      expect(mentioned).toEqual([expect.objectContaining({ objectType: 'account', id: bob.id })]);
      // Our own member beside it: where the text mentions whom.
      const { mentions } = await createPost(alice, `to @${bob.username}, and @nobody_there`);
      expect(mentions).toEqual([expect.objectContaining({ id: bob.id, indices: [3, 4 + bob.username.length] })]);
    },
    'action |': async ({ alice, bob }) => {
      const { id } = await createPost(alice);
      await bob.call('POST /likes/add', { item_id: id, type: 'post' });
      await createComment(bob, id);
      await bob.call('POST /reposts/add', { item_id: id, type: 'post' });
      const { body } = await alice.call(`GET /post/show?id=${String(id)}`);
      expect(body.items.action).toEqual({ likes: 1, comments: 1, reposts: 1 });
    },
  },
  Comment: {
    'id |': async (world) => integer((await commented(world)).id),
    'text |': async (world) => expect((await commented(world)).text).toBe('a comment'),
    'created |': async (world) => expect((await commented(world)).created).toMatch(created),
    'user |': async (world) =>
      expect((await commented(world)).user).toMatchObject({ objectType: 'account', id: world.bob.id }),
  },
  'Media record': {
    'id |': async (world) => integer((await record(world)).id),
    'item_id |': async (world) => {
      const id = await upload(world);
      const post = await createPost(world.alice, 'with a picture', id);
      expect((await world.alice.call(`GET /media/show?id=${String(id)}`)).body.item_id).toBe(post.id);
    },
    'media.image |': async (world) => {
      const { media } = await record(world);
      url(media.image);
      expect((await fetch(media.image)).status).toBe(200);
    },
    'user |': async (world) =>
      expect((await record(world)).user).toMatchObject({ objectType: 'account', id: world.alice.id }),
  },
  'Upload result': {
    'status |': async (world) => expect((await uploaded(world)).status).toBe('succeeded'),
    'finally.media_id |': async (world) => integer((await uploaded(world)).finally.media_id),
    'finally.media_id_string |': async (world) => {
      const { finally: result } = await uploaded(world);
      expect(result.media_id_string).toBe(String(result.media_id));
    },
    'finally.size |': async (world) => {
      const { finally: result } = await uploaded(world);
      const post = await createPost(world.alice, 'with a picture', result.media_id);
      expect(result.size).toBe(post.media.files[0].filesize);
    },
    'finally.image_type |': async (world) => {
      expect((await uploaded(world)).finally.image_type).toBe('image/png');
      const jpeg = await world.alice.call('POST /media/upload', { media: world.imageUrl('jpeg') });
      expect(jpeg.body.finally.image_type).toBe('image/jpeg');
    },
  },
};

async function commented({ alice, bob }: World) {
  const post = await createPost(alice);
  await createComment(bob, post.id);
  const { body } = await alice.call(`GET /comment?item_id=${String(post.id)}&type=post`);
  return body.items[0];
}

async function record(world: World) {
  const id = await upload(world);
  return (await world.alice.call(`GET /media/show?id=${String(id)}`)).body;
}

async function uploaded(world: World) {
  return (await world.alice.call('POST /media/upload', { media: world.imageUrl('png') })).body;
}
