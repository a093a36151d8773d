import { sweepDrafts } from '@linnet/social/draft/draft-store';
import { deleteUnattachedMedia } from '@linnet/media/media-sweep-store';
import { proposePost } from '@linnet/test/api/endpoint-world';
import { tomorrow } from '@linnet/test/api/endpoint-cases';
import { uploadImage } from '@linnet/test/api/media-requests';
import { registerPerson, registerThree } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** Drafts of posts and comments (decisions D192), and when they are published (D200). */
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
/** Another process. */
let other: RunningApi;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  other = cleanup.use(await startApi(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  [ada, ben] = await registerThree(api);
});

const drafts = async (person: Person, status = 'draft') => (await person.get(`/drafts?status=${status}`)).body.items;
const postsOf = async (person: Person) => (await person.get(`/post?user_id=${String(person.id)}`)).body.items;
const outcome = ({ status, body }: Sent) => (status === 200 ? status : [status, body.code]);

async function draft(person: Person, parameters: Readonly<Record<string, unknown>>): Promise<number> {
  const { status, body } = await person.post('/drafts/create', parameters);
  expect([status, body.status, body.version]).toEqual([200, 'draft', 1]);
  return Number(body.id);
}

test('D192 a draft of a post has what the post will have, and nobody else sees it', async () => {
  const media = await uploadImage(api, ada.id);
  const parameters = { message: ' Hello #drafts ', media, commenters: 'followers', sensitive: true };
  const id = await draft(ada, parameters);
  const { body } = await ada.get(`/drafts/show?id=${String(id)}`);
  const stored = { message: 'Hello #drafts', commenters: 'followers', sensitive: true, attachments: [media] };
  expect(body).toMatchObject({ call: '/post/create', parameters: stored });
  expect(await postsOf(ada)).toEqual([]);
  for (const [path, sent] of [
    ['/drafts/show', undefined],
    ['/drafts/update', { version: 1, message: 'x' }],
    ['/drafts/publish', {}],
    ['/drafts/delete', {}],
  ] as const) {
    const answer = sent === undefined ? ben.get(`${path}?id=${String(id)}`) : ben.post(path, { id, ...sent });
    expect(outcome(await answer)).toEqual([404, 'not-found']);
  }
  expect(await drafts(ben)).toEqual([]);
  const published = (await ada.post('/drafts/publish', { id })).body;
  const [post] = await postsOf(ada);
  expect(post).toMatchObject({ id: published.published_id, text: 'Hello #drafts', commenters: 'followers' });
  expect(post.attachments.map((picture: { id: number }) => picture.id)).toEqual([media]);
  expect([await drafts(ada), (await drafts(ada, 'published')).length]).toEqual([[], 1]);
});

test('D192 a draft of a comment keeps its post, and still waits if it cannot be published', async () => {
  const post = await ben.writes('hello');
  const id = await draft(ada, { item_id: post, type: 'post', text: 'Well sad' });
  const updated = await ada.post('/drafts/update', { id, version: 1, text: 'Well said' });
  expect(updated.body.parameters).toEqual({ item_id: post, type: 'post', text: 'Well said' });
  const restrict = async (commenters: string) => await ben.post('/post/settings/update', { id: post, commenters });
  await restrict('mentioned');
  expect(outcome(await ada.post('/drafts/publish', { id }))).toEqual([403, 'comments-restricted']);
  expect(await drafts(ada)).toMatchObject([{ id, status: 'draft', version: 2 }]);
  await restrict('everyone');
  const { body } = await ada.post('/drafts/publish', { id });
  expect((await ada.get(`/comment/show?id=${String(body.published_id)}`)).body.items.text).toBe('Well said');
});

test.each([
  ['nothing', {}, 'invalid-parameter'],
  ['a text without its post', { text: 'Hello' }, 'invalid-parameter'],
  ['a post without a text', { sensitive: true }, 'invalid-parameter'],
  ['a comment without a text', { item_id: 1, type: 'post' }, 'invalid-parameter'],
  ['an unknown picture', { message: 'Hello', media: 1 }, 'media-not-usable'],
  ['a picture in two ways', { message: 'Hello', media: 1, attachments: [1] }, 'invalid-parameter'],
])('what the call would refuse is no draft: %s', async (_, parameters, code) => {
  expect((await ada.post('/drafts/create', parameters)).body.code).toBe(code);
  expect(await drafts(ada)).toEqual([]);
});

test('an update needs the current version, and a draft that waits', async () => {
  const id = await draft(ada, { message: 'one', sensitive: true });
  const edit = async (version: number, message: string) => await ada.post('/drafts/update', { id, version, message });
  expect((await edit(1, 'two')).body).toMatchObject({ version: 2, parameters: { message: 'two' } });
  expect((await ada.get(`/drafts/show?id=${String(id)}`)).body.parameters).toEqual({ message: 'two' });
  expect(outcome(await edit(1, 'three'))).toEqual([409, 'draft-changed']);
  expect(outcome(await ada.post('/drafts/publish', { id, version: 1 }))).toEqual([409, 'draft-changed']);
  const picture = await uploadImage(api, ben.id);
  const stolen = await ada.post('/drafts/update', { id, version: 2, message: 'three', media: picture });
  expect(outcome(stolen)).toEqual([403, 'media-not-usable']);
  expect(outcome(await ada.post('/drafts/publish', { id, version: 2 }))).toBe(200);
  expect(outcome(await edit(2, 'three'))).toEqual([409, 'draft-changed']);
  expect((await ada.post('/drafts/delete', { id })).status).toBe(200);
  expect((await postsOf(ada)).map(({ text }: { text: string }) => text)).toEqual(['two']);
});

describe('races', () => {
  test('D192 of many that publish a draft at a time, one does, and all get the same post', async () => {
    const media = await uploadImage(api, ada.id);
    const id = await draft(ada, { message: 'once', media });
    const all = await Promise.all(Array.from({ length: 20 }, async () => await ada.post('/drafts/publish', { id })));
    const posts = await postsOf(ada);
    expect(posts).toHaveLength(1);
    expect(new Set(all.map(({ body }) => body.published_id))).toEqual(new Set([posts[0].id]));
    expect((await ada.post('/drafts/publish', { id, version: 1 })).body.published_id).toBe(posts[0].id);
  });

  test('D192 what is published is what an edit left, in either order', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const id = await draft(ada, { message: 'before' });
      const [edited, published] = await Promise.all([
        ada.post('/drafts/update', { id, version: 1, message: 'after' }),
        ada.post('/drafts/publish', { id, version: 1 }),
      ]);
      // One of them finds another draft than it has read.
      expect(new Set([edited.status, published.status])).toEqual(new Set([200, 409]));
      const after = (await ada.post('/drafts/publish', { id })).body;
      const text = edited.status === 200 ? 'after' : 'before';
      expect((await ada.get(`/post/show?id=${String(after.published_id)}`)).body.items.text).toBe(text);
    });
    await Promise.all(rounds);
    expect(await postsOf(ada)).toHaveLength(20);
  });

  test('an account never has more than 100 drafts', async () => {
    const row = { accountId: ada.id, status: 'draft', call: '/post/create', parameters: { message: 'x' } } as const;
    await api.db.prisma.draft.createMany({ data: Array.from({ length: 95 }, () => row) });
    const sent = Array.from({ length: 10 }, async () => await ada.post('/drafts/create', { message: 'x' }));
    const outcomes = (await Promise.all(sent)).map(outcome);
    expect(outcomes.filter((one) => one === 200)).toHaveLength(5);
    expect(outcomes.filter((one) => one !== 200)).toEqual(Array.from({ length: 5 }, () => [409, 'too-many-drafts']));
    expect(await drafts(ada)).toHaveLength(100);
  });
});

test('the pictures of a draft stay until it is published or deleted', async () => {
  const [kept, alone] = [await uploadImage(api, ada.id), await uploadImage(api, ada.id)];
  const id = await draft(ada, { message: 'with a picture', media: kept });
  const sweep = async () => {
    await api.db.prisma
      .$executeRaw`UPDATE media SET created_at = now() - interval '25 hours' WHERE owner_id = ${ada.id}`;
    await deleteUnattachedMedia(api.db);
    const left = await api.db.prisma.media.findMany({ where: { ownerId: ada.id }, select: { id: true } });
    return left.map((media) => Number(media.id));
  };
  expect(alone).not.toBe(kept);
  expect(await sweep()).toEqual([kept]);
  await ada.post('/drafts/delete', { id });
  expect(await sweep()).toEqual([]);
});

test('a picture that another post got first leaves the draft as it is', async () => {
  const media = await uploadImage(api, ada.id);
  const id = await draft(ada, { message: 'with a picture', media });
  await ada.post('/post/create', { message: 'first', media });
  expect(outcome(await ada.post('/drafts/publish', { id }))).toEqual([409, 'media-attached']);
  expect((await ada.post('/drafts/update', { id, version: 1, message: 'without' })).status).toBe(200);
  expect((await ada.post('/drafts/publish', { id })).status).toBe(200);
});

test('an export has the drafts; a suspended account keeps them and gets no new one', async () => {
  const id = await draft(ada, { message: 'mine' });
  expect((await ada.post('/account/export', {})).body.drafts).toMatchObject([{ id, parameters: { message: 'mine' } }]);
  const claims = { acct: ada.id, scope: 'users' };
  expect((await api.call('POST /account/export', { claims })).body.drafts).toEqual([]);
  const hide = async (hiddenAt: Date | null) =>
    await api.db.prisma.account.update({ where: { id: ada.id }, data: { suspendedAt: hiddenAt } });
  await hide(new Date());
  const refused = [
    await ada.post('/drafts/create', { message: 'another' }),
    await ada.post('/drafts/publish', { id }),
  ].map(({ status }) => status);
  await hide(null);
  expect(refused.every((status) => status === 401 || status === 403)).toBe(true);
  expect(await api.db.prisma.draft.findMany({ where: { accountId: ada.id }, select: { status: true } })).toEqual([
    { status: 'draft' },
  ]);
});

test('what was published is forgotten after 30 days; what waits is not', async () => {
  const [id, waiting] = [await draft(ada, { message: 'one' }), await draft(ada, { message: 'two' })];
  await ada.post('/drafts/publish', { id });
  await api.db.prisma.draft.update({ where: { id }, data: { decidedAt: new Date(Date.now() - 31 * 86_400_000) } });
  await sweepDrafts(api.db);
  const left = await api.db.prisma.draft.findMany({ where: { accountId: ada.id } });
  expect(left.map((one) => Number(one.id))).toEqual([waiting]);
});

/** Publishes what is due, in one of the processes. */
async function runJob(at = api): Promise<void> {
  await at.app.jobs.find(({ name }) => name === 'scheduled-drafts')?.run(new AbortController().signal);
}

const makeDue = async (ids: readonly number[], ago = '1 second') =>
  await api.db.prisma.$executeRawUnsafe(
    `UPDATE draft SET publish_at = now() - interval '${ago}' WHERE status = 'scheduled' AND id IN (${ids.join()})`,
  );
const show = async (person: Person, id: number) => (await person.get(`/drafts/show?id=${String(id)}`)).body;

/** A draft whose time has come. */
async function dueDraft(person: Person, parameters: Readonly<Record<string, unknown>>, ago?: string): Promise<number> {
  const { body } = await person.post('/drafts/create', { ...parameters, publish_at: tomorrow });
  expect(body).toMatchObject({ status: 'scheduled', publish_at: tomorrow });
  await makeDue([body.id], ago);
  return Number(body.id);
}

describe('D200 what is scheduled', () => {
  test('is published at its time, as it is then; before, the time can be changed and removed', async () => {
    const id = await draft(ada, { message: 'Hello' });
    const schedule = async (publish_at?: string) => (await ada.post('/drafts/schedule', { id, publish_at })).body;
    const later = new Date(Date.parse(tomorrow) + 3_600_000).toISOString();
    const first = (await ada.post('/drafts/create', { message: 'First', publish_at: tomorrow })).body.id;
    expect(await schedule(tomorrow)).toMatchObject({ id, status: 'scheduled', publish_at: tomorrow, version: 1 });
    expect(await schedule(later)).toMatchObject({ status: 'scheduled', publish_at: later });
    expect((await drafts(ada, 'scheduled')).map((one: { id: number }) => one.id)).toEqual([first, id]);
    expect(await schedule()).toMatchObject({ status: 'draft', version: 1 });
    expect(await show(ada, id)).not.toHaveProperty('publish_at');
    await schedule(tomorrow);
    await ada.post('/drafts/update', { id, version: 1, message: 'Hello there' });
    const outdated = await ada.post('/drafts/schedule', { id, version: 1, publish_at: later });
    expect(outcome(outdated)).toEqual([409, 'draft-changed']);
    await runJob();
    expect(await postsOf(ada)).toEqual([]);
    await makeDue([id]);
    await runJob();
    const [post, ...others] = await postsOf(ada);
    expect([post.text, others]).toEqual(['Hello there', []]);
    expect(await show(ada, id)).toMatchObject({ status: 'published', published_id: post.id });
    expect(outcome(await ada.post('/drafts/schedule', { id }))).toEqual([409, 'draft-changed']);
    expect(await show(ada, first)).toMatchObject({ status: 'scheduled', publish_at: tomorrow });
  });

  test('D193 of a proposal, its time is a suggestion until the person accepts it for a time', async () => {
    const suggest = { message: 'Good morning', publish_at: tomorrow };
    const claims = { acct: ada.id, scope: 'posts:propose' };
    const sent = { claims, headers: { 'content-type': 'application/json' }, body: JSON.stringify(suggest) };
    const { id, status, publish_at } = (await api.call('POST /drafts/create', sent)).body;
    expect([status, publish_at]).toEqual(['proposed', tomorrow]);
    await makeDue([id]);
    await runJob();
    expect(outcome(await ada.post('/drafts/schedule', { id }))).toEqual([409, 'draft-changed']);
    const follow = await proposePost(api, ben.id);
    expect(outcome(await ada.post('/drafts/schedule', { id: follow, publish_at }))).toEqual([404, 'not-found']);
    const row = { accountId: ada.id, status: 'draft', call: '/post/create', parameters: { message: 'x' } } as const;
    await api.db.prisma.draft.createMany({ data: Array.from({ length: 100 }, () => row) });
    expect(outcome(await ada.post('/drafts/schedule', { id, publish_at }))).toEqual([409, 'too-many-drafts']);
    await ada.post('/drafts/delete', { id: (await drafts(ada))[0].id });
    expect((await ada.post('/drafts/schedule', { id, publish_at })).body).toMatchObject({ status: 'scheduled' });
    expect(outcome(await ada.post('/drafts/create', { message: 'x' }))).toEqual([409, 'too-many-drafts']);
    await makeDue([id]);
    await runJob();
    expect((await api.call(`GET /drafts/show?id=${String(id)}`, { claims })).body.status).toBe('published');
    const said = await api.db.prisma.outbox.findMany({ where: { draftId: id }, orderBy: { id: 'asc' } });
    expect(said.map(({ kind }) => kind)).toEqual(['draft_proposed', 'draft_scheduled', 'draft_published']);
  });

  test('a token schedules only what it may do', async () => {
    const claims = { acct: ada.id, scope: 'posts:propose' };
    const sent = { claims, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: ben.id }) };
    const { id } = (await api.call('POST /follows/add', sent)).body;
    const narrow = {
      ...sent,
      claims: { acct: ada.id, scope: 'posts' },
      body: JSON.stringify({ id, publish_at: tomorrow }),
    };
    expect((await api.call('POST /drafts/schedule', narrow)).body).toMatchObject({ code: 'insufficient_scope' });
    expect((await ada.post('/drafts/schedule', { id, publish_at: tomorrow })).body.status).toBe('scheduled');
  });
});

describe('D200 what cannot be published at its time is a draft that says why', () => {
  const change = async (person: Person, data: object) =>
    await api.db.prisma.account.update({ where: { id: person.id }, data });
  interface Scene {
    readonly failure?: string;
    /** Parameters besides the text; of a comment if there is a post. */
    readonly to?: (post: number) => Readonly<Record<string, unknown>>;
    readonly ago?: string;
    readonly before?: (post: number) => Promise<unknown>;
    readonly undo?: (post: number) => Promise<unknown>;
  }
  const comment = (post: number) => ({ item_id: post, type: 'post', text: 'Well said' });
  const scenes: Readonly<Record<string, Scene>> = {
    'nothing in the way': {},
    'the service was down for 23 hours': { ago: '23 hours' },
    'the service was down for 25 hours': { ago: '25 hours', failure: 'too-late' },
    'a limited account': { before: async () => await change(ada, { limitedAt: new Date() }) },
    'a protected account': { before: async () => await change(ada, { protected: true }) },
    ...Object.fromEntries(
      (['suspendedAt', 'deletedAt'] as const).map((column) => [
        `an account with ${column}`,
        {
          failure: 'account-hidden',
          before: async () => await change(ada, { [column]: new Date() }),
          undo: async () => await change(ada, { [column]: null }),
        },
      ]),
    ),
    'a comment': { to: comment },
    'a post that is gone': {
      failure: 'not-found',
      to: comment,
      before: async (id) => await ben.post('/post/delete', { id }),
    },
    'comments that are restricted': {
      failure: 'comments-restricted',
      to: comment,
      before: async (id) => await ben.post('/post/settings/update', { id, commenters: 'mentioned' }),
      undo: async (id) => await ben.post('/post/settings/update', { id, commenters: 'everyone' }),
    },
    'an author who blocks': {
      failure: 'not-found',
      to: comment,
      before: async () => await ben.post('/blocks/add', { id: ada.id }),
      undo: async () => await ben.post('/blocks/delete', { id: ada.id }),
    },
    'an author who is protected': {
      failure: 'not-found',
      to: comment,
      before: async () => await change(ben, { protected: true }),
      undo: async () => await change(ben, { protected: false }),
    },
    'an author who is suspended': {
      failure: 'not-found',
      to: comment,
      before: async () => await change(ben, { suspendedAt: new Date() }),
      undo: async () => await change(ben, { suspendedAt: null }),
    },
  };

  test.each(Object.entries(scenes))('%s', async (_, { failure, to, ago, before, undo }) => {
    const post = await ben.writes('hello');
    const id = await dueDraft(ada, to?.(post) ?? { message: 'Hello' }, ago);
    await before?.(post);
    await Promise.all([runJob(), runJob(other)]);
    await undo?.(post);
    const row = await api.db.prisma.draft.findUniqueOrThrow({ where: { id } });
    const kept = { status: 'draft', publishAt: null, failure };
    expect(row).toMatchObject(failure === undefined ? { status: 'published', failure: null } : kept);
    const notified = await api.db.prisma.notification.findMany({ where: { accountId: ada.id, kind: 'draft_failed' } });
    expect(notified.map(({ draftId }) => Number(draftId))).toEqual(failure === undefined ? [] : [id]);
  });

  test('the person ends all other access to the account, but a suspension does not end what is scheduled', async () => {
    const id = await dueDraft(ada, { message: 'Hello' });
    await change(ada, { suspendedAt: new Date(), epoch: { increment: 1 } });
    await change(ada, { suspendedAt: null });
    const read = async () => await api.db.prisma.draft.findUniqueOrThrow({ where: { id } });
    expect((await read()).status).toBe('scheduled');
    await change(ada, { epoch: { increment: 1 } });
    await runJob();
    expect(await read()).toMatchObject({ status: 'draft', publishAt: null, failure: 'access-ended' });
  });

  test('each is a notification, until something is done about it', async () => {
    const media = await uploadImage(api, ada.id);
    const all = ['one', 'two', 'three'].map(async (message) => await dueDraft(ada, { message, media }));
    const [first = 0, second = 0, third = 0] = await Promise.all(all);
    await ada.post('/post/create', { message: 'first', media });
    await runJob();
    const { items } = (await ada.get('/notifications')).body;
    const about = { type: 'draft_failed', count: 1, unread: 1, users: [], draft: { failure: 'media-attached' } };
    expect(items).toMatchObject([about, about, about]);
    await ada.post('/drafts/update', { id: first, version: 1, message: 'without' });
    await ada.post('/drafts/schedule', { id: second, publish_at: tomorrow });
    await ada.post('/drafts/delete', { id: third });
    expect((await ada.get('/notifications')).body.items).toEqual([]);
    for (const id of [first, second]) expect(await show(ada, id)).not.toHaveProperty('failure');
  });
});

/** The drafts of 20 rounds, whose time has come. */
const dueDrafts = async () =>
  await Promise.all(
    Array.from({ length: 20 }, async (_, round) => await dueDraft(ada, { message: `one ${String(round)}` })),
  );

describe('D200 races', () => {
  test.each<[string, (id: number, round: number) => Promise<unknown>]>([
    ['a third', async () => await runJob(other)],
    ['publishing', async (id) => await ada.post('/drafts/publish', { id })],
    [
      'an edit',
      async (id, round) => await ada.post('/drafts/update', { id, version: 1, message: `two ${String(round)}` }),
    ],
    ['another time', async (id) => await ada.post('/drafts/schedule', { id, publish_at: tomorrow })],
    ['no time', async (id) => await ada.post('/drafts/schedule', { id })],
    ['a deletion', async (id) => await ada.post('/drafts/delete', { id })],
  ])('two processes and %s at a time: each is published once, as it was last, or waits', async (_, act) => {
    const ids = await dueDrafts();
    await Promise.all([runJob(), runJob(other), ...ids.map(act)]);
    await Promise.all([runJob(), runJob(other)]);
    const rows = await api.db.prisma.draft.findMany({ where: { id: { in: ids } } });
    const posts = await api.db.prisma.post.findMany({ where: { authorId: ada.id } });
    expect(new Set(posts.map(({ text }) => text.split(' ')[1])).size).toBe(posts.length);
    for (const { status, publishedId, parameters, failure } of rows) {
      const text = posts.find(({ id }) => id === publishedId)?.text;
      expect([failure, text]).toEqual([
        null,
        status === 'published' ? (parameters as { message: string }).message : undefined,
      ]);
    }
    // Those that were deleted may have been published before.
    const published = rows.filter(({ status }) => status === 'published').length;
    expect(posts.length).toBeGreaterThanOrEqual(published);
    expect(posts.length).toBeLessThanOrEqual(published + ids.length - rows.length);
  });

  test('publishing and rejecting a proposal at a time: one of them happens', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const id = await proposePost(api, ada.id, 'proposed');
      const both = [ada.post('/drafts/publish', { id }), ada.post('/drafts/reject', { id })];
      const [published, rejected] = await Promise.all(both);
      const { status } = await show(ada, id);
      expect([published?.status, rejected?.status]).toEqual(status === 'published' ? [200, 409] : [409, 200]);
      return status;
    });
    const statuses = await Promise.all(rounds);
    expect(await postsOf(ada)).toHaveLength(statuses.filter((status) => status === 'published').length);
  });

  test.each([
    ['by hand', async (person: Person, id: number) => await person.post('/drafts/publish', { id })],
    ['by the job', async () => await runJob(other)],
  ])('publishing %s and a suspension at a time: the post is there, or the draft', async (_, publish) => {
    const rounds = Array.from({ length: 20 }, async (__, round) => {
      const person = await registerPerson(
        api,
        `${ada.username.slice(0, 8)}_${String(Math.random()).slice(2, 8)}_${String(round)}`,
      );
      const id = await dueDraft(person, { message: 'Hello' });
      const suspended = { where: { id: person.id }, data: { suspendedAt: new Date() } };
      await Promise.all([publish(person, id), api.db.prisma.account.update(suspended)]);
      return { id, person };
    });
    const suspended = await Promise.all(rounds);
    // Before this, the job of one round may have held the draft of another.
    await runJob();
    for (const { id, person } of suspended) {
      const { status, failure } = await api.db.prisma.draft.findUniqueOrThrow({ where: { id } });
      const posts = await api.db.prisma.post.count({ where: { authorId: person.id } });
      const kept = ['draft', 'account-hidden', 0];
      expect([status, failure, posts]).toEqual(posts === 1 ? ['published', null, 1] : kept);
    }
  });

  test('a process that dies while it publishes leaves the draft to another, which publishes it once', async () => {
    const id = await dueDraft(ada, { message: 'once' });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const blocking = api.db.transaction(async (tx) => {
      await tx.query({ name: 'test_hold', text: 'SELECT id FROM account WHERE id = $1 FOR UPDATE' }, [ada.id]);
      hold();
      await released;
    });
    await held;
    const dying = runJob().catch(() => undefined);
    const kill = async () =>
      await other.db.prisma.$queryRaw<unknown[]>`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database() AND pid <> pg_backend_pid()`;
    await expect.poll(kill, { timeout: 2500 }).toHaveLength(1).finally(release);
    await dying;
    await blocking;
    await Promise.all([runJob(), runJob(other)]);
    expect((await postsOf(ada)).map(({ text }: { text: string }) => text)).toEqual(['once']);
    expect(await show(ada, id)).toMatchObject({ status: 'published' });
  });
});
