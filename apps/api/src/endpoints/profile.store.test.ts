import { linkIdentity } from '@linnet/accounts/identity-store';
import { createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { download, uploadImage } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let acct: number;
let other: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  acct = (await api.register('profile_1')).id;
  other = (await api.register('profile_2')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };
async function send(target: string, values: unknown, claims: Record<string, unknown> = {}) {
  return await api.call(`POST ${target}`, { claims: { acct, ...claims }, body: JSON.stringify(values), headers: json });
}
const idOf = ({ id }: { readonly id: number }) => id;
const shown = async () => (await api.call(`GET /users/show`, { claims: { acct } })).body;

describe('POST /account/update (Details 4)', () => {
  test('changes the given parameters and returns the account', async () => {
    const { status, body } = await send('/account/update', {
      displayName: ' Countess 👩‍👩‍👧 ',
      description: ' First\nprogrammer ',
      country: 'England',
      language: 'de-at',
      protected: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: acct,
      displayName: 'Countess 👩‍👩‍👧',
      description: ' First\nprogrammer ',
      country: 'England',
      language: 'de-AT',
      email: 'profile_1@example.org',
      name: { first_name: 'Ada', last_name: 'Lovelace' },
    });
    expect(body).toEqual(await shown());
    expect((await api.db.prisma.account.findUniqueOrThrow({ where: { id: acct } })).protected).toBe(true);
  });

  test('Details 4 ignores absent and unknown parameters', async () => {
    const before = await shown();
    expect((await send('/account/update', {})).body).toEqual(before);
    const unknown = {
      id: other,
      verified: 1,
      email: 'x@example.org',
      username: 'other_name',
      action: { followers: 9 },
    };
    expect((await send('/account/update', unknown)).body).toEqual(before);
    expect((await send('/account/update', { country: '' })).body).toEqual({ ...before, country: '' });
  });

  test.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['1', true],
    ['false', false],
    ['true', true],
    ['0', false],
  ])('protected: %j', async (value, isProtected) => {
    expect((await send('/account/update', { protected: value })).status).toBe(200);
    expect((await api.db.prisma.account.findUniqueOrThrow({ where: { id: acct } })).protected).toBe(isProtected);
  });

  test.each([
    ['displayName', 7],
    ['displayName', null],
    ['displayName', ' '],
    ['displayName', '\u2003\u3000'],
    ['displayName', '\u200B'],
    ['displayName', []],
    ['description', {}],
    ['language', 7],
    ['language', ['en']],
    ['protected', {}],
    ['protected', null],
    ['country', ['England']],
  ])('%s: %j is 400 and changes nothing', async (parameter, value) => {
    const before = await shown();
    const { status, body } = await send('/account/update', { country: 'Elsewhere', [parameter]: value });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter })]]);
    expect(await shown()).toEqual(before);
  });

  test('D25 the end of protection approves all requests', async () => {
    await send('/account/update', { protected: true });
    const asking = await Promise.all(['asking_1', 'asking_2'].map(async (name) => (await api.register(name)).id));
    for (const id of asking) await send('/follows/add', { id: acct }, { acct: id });
    expect((await shown()).action.followers).toBe(0);
    const { body } = await send('/account/update', { protected: false });
    expect(body.action.followers).toBe(2);
    expect(await api.db.prisma.followRequest.count({ where: { followedId: acct } })).toBe(0);
    for (const id of asking) await send('/follows/delete', { id: acct }, { acct: id });
  });

  test('D25 concurrent requests and end of protection leave no request pending', async () => {
    for (let round = 0; round < 5; round += 1) {
      await send('/account/update', { protected: true });
      const asking = await Promise.all(
        ['a', 'b', 'c'].map(async (name) => (await api.register(`racing_${name}_${String(round)}`)).id),
      );
      await Promise.all([
        ...asking.map(async (id) => await send('/follows/add', { id: acct }, { acct: id })),
        send('/account/update', { protected: 'false' }),
      ]);
      expect(await api.db.prisma.followRequest.count({ where: { followedId: acct } })).toBe(0);
      expect(await api.db.prisma.follow.count({ where: { followedId: acct } })).toBe((await shown()).action.followers);
      for (const id of asking) await send('/follows/delete', { id: acct }, { acct: id });
    }
  });

  test('returns the e-mail address only with the scope email', async () => {
    expect((await send('/account/update', {}, { scope: 'users' })).body.email).toBe('');
  });

  test('lengths are counted in code points', async () => {
    const values = { displayName: '💙'.repeat(56), description: '💙'.repeat(400), country: '💙'.repeat(100) };
    expect((await send('/account/update', values)).body).toMatchObject(values);
  });
});

test('only the account itself reads whether it is protected', async () => {
  for (const flag of [1, 0]) {
    expect((await send('/account/update', { protected: flag })).body.protected).toBe(flag);
    expect((await send('/account/export', {})).body.profile.protected).toBe(flag);
    expect((await shown()).protected).toBe(flag);
  }
  for (const claims of [{ acct: other }, {}]) {
    const { body } = await api.call(`GET /users/show?id=${String(acct)}`, { claims });
    expect([body.id, Object.hasOwn(body, 'protected')]).toEqual([acct, false]);
  }
});

/** Of a picture that nobody has described. */
const described = { alt: '', width: 30, height: 20, blurhash: expect.any(String) };

describe('POST /account/export (Details 4)', () => {
  test('contains everything, the e-mail address only with the scope email', async () => {
    const draft = (await send('/post/create', { message: 'a draft' })).body.items;
    const edited = await send('/post/edit', { id: draft.id, message: 'mine @profile_2 #tag' });
    const { viewer: _viewer, user: _user, ...own } = edited.body.items;
    const theirs = (await send('/post/create', { message: 'theirs' }, { acct: other })).body.items;
    const comment = (await send('/comment/create', { item_id: theirs.id, type: 'post', text: 'hm' })).body;
    await send('/likes/add', { item_id: theirs.id, type: 'post' });
    await send('/follows/add', { id: other });
    await send('/follows/add', { id: acct }, { acct: other });
    const { body } = await send('/account/export', {});
    const { post: _, ...profile } = await shown();
    expect(body).toMatchObject({
      profile,
      posts: [{ ...own, user_definition: [{ id: other }] }],
      history: [{ item_id: draft.id, text: 'a draft', created_at: draft.created_at }],
      reposts: [],
      comments: [{ id: comment.id, text: 'hm', item_id: theirs.id }],
      likes: [{ item_id: theirs.id }],
      follows: { following: [{ id: other }], followers: [{ id: other }] },
      media: [],
    });
    expect(body).not.toHaveProperty('next');
    expect(body).not.toHaveProperty('omitted');
    const narrow = await send('/account/export', {}, { scope: 'users:read posts:read' });
    expect([narrow.status, narrow.body]).toEqual([200, { ...body, profile: { ...profile, email: '' } }]);
  });

  test('contains attached and unattached media of the account alone', async () => {
    const id = (await api.register('photographer')).id;
    const attached = await uploadImage(api, id);
    const unattached = await uploadImage(api, id);
    await uploadImage(api, other);
    const post = (await send('/post/create', { message: 'look', media: attached }, { acct: id })).body.items;
    const since = { ...described, created: expect.any(String), created_at: expect.any(String) };
    const { body } = await send('/account/export', {}, { acct: id });
    expect(body.media).toEqual([
      { id: attached, item_id: post.id, media: post.media, ...since },
      { id: unattached, item_id: 0, media: { image: expect.any(String), files: [expect.any(Object)] }, ...since },
    ]);
    await send('/account/update', { protected: true }, { acct: id });
    const signed = (await send('/account/export', {}, { acct: id })).body.media[1].media;
    for (const address of [signed.image, signed.files[0].download]) {
      expect((await download(api, address)).status).toBe(200);
    }
  });

  test('is in the audit log once an hour for each application, whatever cursor it begins with', async () => {
    const id = (await api.register('audited_export')).id;
    const event = { event: 'account.exported', accountId: BigInt(id) };
    const find = async () => await api.db.prisma.auditEvent.findMany({ where: event, orderBy: { id: 'asc' } });
    const cursor = Buffer.from(JSON.stringify(Array.from({ length: 14 }, () => 1))).toString('base64url');
    expect((await send('/account/export', { cursor }, { acct: id })).status).toBe(200);
    await send('/account/export', {}, { acct: id });
    await send('/account/export', {}, { acct: id, client_id: 'another_app' });
    expect((await find()).map(({ actor, clientId }) => [actor, clientId])).toEqual([
      ['application', expect.any(String)],
      ['application', 'another_app'],
    ]);
    await send('/account/export', { cursor: 'wrong' }, { acct: id, client_id: 'third_app' });
    expect(await find()).toHaveLength(2);
  });

  test('requires a token with an account', async () => {
    const { body } = await api.call('POST /account/export', {});
    expect(body.code).toBe('user-context-required');
  });

  test('comes in parts of 500 of each kind, which together contain everything once', async () => {
    const id = (await api.register('much_to_say')).id;
    await api.db.prisma.post.createMany({
      data: Array.from({ length: 1203 }, (_, index) => ({
        authorId: id,
        text: `post ${String(index)}`,
        mentionIds: [],
      })),
    });
    const posts = await api.db.prisma.post.findMany({ where: { authorId: id }, orderBy: { id: 'asc' } });
    await api.db.prisma.postLike.createMany({
      data: posts.slice(0, 501).map((one) => ({ accountId: id, postId: one.id, authorId: id })),
    });

    await api.db.prisma.media.createMany({
      data: Array.from({ length: 1001 }, (_, index) => ({
        ownerId: id,
        name: `${String(index).padStart(32, '0')}.png`,
        bytes: 1,
        width: 1,
        height: 1,
      })),
    });
    const media = await api.db.prisma.media.findMany({ where: { ownerId: id }, orderBy: { id: 'asc' } });

    const parts = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; cursor = parts.at(-1)?.next) {
      parts.push((await send('/account/export', cursor === '' ? {} : { cursor }, { acct: id })).body);
    }
    expect(parts.map((part) => [part.posts.length, part.likes.length, part.media.length])).toEqual([
      [500, 500, 500],
      [500, 1, 500],
      [203, 0, 1],
    ]);
    expect(parts.flatMap((part) => part.posts.map(idOf))).toEqual(posts.map((one) => Number(one.id)));
    expect(parts.flatMap((part) => part.media.map(idOf))).toEqual(media.map((one) => Number(one.id)));
  });
});

test('the export contains the invitations of the account alone, without their codes', async () => {
  const [id, stranger] = [(await api.register('inviting')).id, (await api.register('inviting_too')).id];
  const made = await createPersonalInvitation(api.db, id, { note: 'For Grace', maxUses: 3, days: 7 });
  await createPersonalInvitation(api.db, stranger, { note: '', maxUses: 1, days: 7 });
  const { invitations } = (await send('/account/export', {}, { acct: id })).body;
  const times = { created: expect.any(String), created_at: expect.any(String), ends: expect.any(String) };
  expect(invitations).toEqual([{ note: 'For Grace', uses: 0, max_uses: 3, ...times, ends_at: expect.any(String) }]);
  expect(JSON.stringify(invitations)).not.toContain(made?.code);
});

test('the export contains the linked providers of the account alone, with the scope email', async () => {
  const [id, stranger] = [(await api.register('linking')).id, (await api.register('linking_too')).id];
  const linked = { issuer: 'https://id.example', name: 'Example' };
  await linkIdentity(api.db, id, { ...linked, subject: 'grace' });
  await api.db.prisma.upstreamIdentity.create({
    data: { accountId: id, issuer: 'https://unused.example', name: 'Other', subject: 'g' },
  });
  await linkIdentity(api.db, stranger, { ...linked, subject: 'ada' });
  const times = { created: expect.any(String), created_at: expect.stringMatching(/Z$/) };
  expect((await send('/account/export', {}, { acct: id })).body.linked_providers).toEqual([
    { ...linked, subject: 'grace', ...times, last_used_at: expect.stringMatching(/Z$/) },
    { issuer: 'https://unused.example', name: 'Other', subject: 'g', ...times },
  ]);
  const narrow = await send('/account/export', {}, { acct: id, scope: 'users:read posts:read' });
  expect([narrow.status, narrow.body.linked_providers]).toEqual([200, []]);
});

describe('POST /account/export: posts need posts:read (D94)', () => {
  test.each([
    ['users:read', false],
    ['users', false],
    ['users email openid profile', false],
    ['users:read posts:read', true],
    ['users:read posts', true],
    ['users posts email', true],
  ])('scope %j: the posts of a protected account are in the export: %s', async (scope, isComplete) => {
    const { id } = await api.register(`kept_${scope.replaceAll(/\W/g, '_')}`);
    await send('/account/update', { protected: true }, { acct: id });
    const media = await uploadImage(api, id);
    const post = (await send('/post/create', { message: 'a draft', media }, { acct: id })).body.items;
    await send('/post/edit', { id: post.id, message: 'for my followers' }, { acct: id });
    const theirs = (await send('/post/create', { message: 'theirs' }, { acct: other })).body.items;
    await send('/comment/create', { item_id: theirs.id, type: 'post', text: 'hm' }, { acct: id });
    await send('/likes/add', { item_id: theirs.id, type: 'post' }, { acct: id });
    await send('/bookmarks/add', { item_id: theirs.id, type: 'post' }, { acct: id });
    await send('/reposts/add', { item_id: theirs.id, type: 'post' }, { acct: id });
    await send('/drafts/create', { message: 'later' }, { acct: id });
    const { username } = (await send('/account/export', {}, { acct: id })).body.profile;
    await send('/comment/create', { item_id: theirs.id, type: 'post', text: `@${String(username)}` }, { acct: other });
    await send('/follows/add', { id: other }, { acct: id });
    const { status, body } = await send('/account/export', {}, { acct: id, scope });
    const kinds = ['posts', 'reposts', 'comments', 'likes', 'bookmarks', 'media', 'notifications', 'history', 'drafts'];
    expect([status, ...kinds.map((kind) => body[kind].length)]).toEqual([
      200,
      ...kinds.map(() => (isComplete ? 1 : 0)),
    ]);
    expect(body.follows.following).toMatchObject([{ id: other }]);
    expect(body.omitted).toEqual(isComplete ? undefined : { members: kinds, scope: 'posts:read' });
    expect(JSON.stringify(body).includes('for my followers')).toBe(isComplete);
  });

  test('a cursor contains no posts without posts:read, and skips none for a token with it', async () => {
    const { id } = await api.register('followed_a_lot');
    const post = (await send('/post/create', { message: 'the first' }, { acct: id })).body.items;
    await api.db.prisma.$executeRaw`
      WITH fan AS (
        INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
        SELECT 'fan_' || n, 'fan_' || n, 'fan_' || n || '@example.org', 'fan_' || n || '@example.org', '', 'F', 'N', 'F'
        FROM generate_series(1, 501) n RETURNING id
      ) INSERT INTO follow (follower_id, followed_id) SELECT id, ${id} FROM fan`;
    const narrow = (await send('/account/export', {}, { acct: id, scope: 'users:read' })).body;
    expect([narrow.posts, narrow.follows.followers.length]).toEqual([[], 500]);
    const readNext = async (scope: string) =>
      (await send('/account/export', { cursor: narrow.next }, { acct: id, scope })).body;
    const [stillNarrow, wider] = [await readNext('users:read'), await readNext('users:read posts:read')];
    expect([stillNarrow.posts, stillNarrow.omitted.scope]).toEqual([[], 'posts:read']);
    expect(wider.posts.map(idOf)).toEqual([post.id]);
    expect([stillNarrow.follows.followers.length, wider.follows.followers.length]).toEqual([1, 1]);
  });
});

test.each(['first_name', 'display_name', 'descripton'])(
  '%s is 400 and names the parameter that was meant',
  async (given) => {
    const { status, body } = await send('/account/update', { [given]: 'Ada', language: 'en' });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          parameter: given,
          code: 'not-allowed',
          detail: expect.stringMatching(/Did you mean `(?:displayName|description)`\?$/),
        },
      ],
    ]);
  },
);
