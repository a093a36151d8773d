import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { addBlock } from '../block/block-store.ts';
import { deleteComment, insertComment } from '../comment/comment-store.ts';
import { moveBatch, archiveBatches, restoreBatches } from '../deletion/archive-store.ts';
import { approveRequest } from '../follow/follow-request-store.ts';
import { addFollow, deleteFollow } from '../follow/follow-store.ts';
import { likes, reposts } from '../reaction/reaction-store.ts';
import { deletePost } from '../post/post-delete-store.ts';
import { insertPost } from '../post/post-create-store.ts';
import { findEntities } from '../post/post-text.ts';
import { findKeptEvents, orderEvents, readEvents } from './event-store.ts';
import type { StoredEvent } from './event-store.ts';

const cleanup = new AsyncDisposableStack();
let db: Db;
let ada: number;
let bob: number;
/** The position of the latest event before each test. */
let start: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  ({ db } = database);
  ada = await insertAccount(db, 'ada_one');
  bob = await insertAccount(db, 'bob_two');
});
afterAll(async () => await cleanup.disposeAsync());
beforeEach(async () => {
  await orderEvents(db);
  start = (await findKeptEvents(db)).latest;
});

async function post(authorId: number, text = 'hello'): Promise<number> {
  const row = await insertPost(db, { authorId, text, entities: findEntities(text) });
  return row?.id ?? Number.NaN;
}

async function comment(postId: number, authorId: number, text = 'well'): Promise<number> {
  const row = await insertComment(db, { postId, authorId, text, entities: findEntities(text) });
  return row?.id ?? Number.NaN;
}

/** The events since the test began. */
async function listEvents(): Promise<readonly StoredEvent[]> {
  await orderEvents(db);
  return await readEvents(db, start, 1000);
}

const listKinds = async () => (await listEvents()).map(({ kind }) => kind);

/** Runs `work` in a transaction, which stays open until `commit` is called. */
async function begin(work: (tx: Queryable) => Promise<unknown>) {
  const [worked, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = db.transaction(async (tx) => {
    await work(tx);
    worked.resolve();
    await open.promise;
  });
  await Promise.race([worked.promise, done]);
  return async () => {
    open.resolve();
    await done;
  };
}

test('what is an event: posts, mentions and comments', async () => {
  const postId = await post(ada, 'hello @bob_two');
  const commentId = await comment(postId, bob, 'hello @ada_one');
  await deleteComment(db, { id: commentId, accountId: bob });
  await deletePost({ db, outside: db }, { id: postId, accountId: ada });
  const ofPost = { actorId: ada, accountId: null, postId, commentId: null };
  const ofComment = { actorId: bob, accountId: ada, postId, commentId };
  expect(await listEvents()).toMatchObject([
    { kind: 'mention.created', ...ofPost, accountId: bob },
    { kind: 'post.created', ...ofPost },
    { kind: 'mention.created', ...ofComment },
    { kind: 'comment.created', ...ofComment },
    { kind: 'comment.deleted', ...ofComment },
    { kind: 'post.deleted', ...ofPost },
  ]);
});

test.each([
  ['like', likes],
  ['repost', reposts],
])('what is an event: a %s counts once, and its removal', async (name, store) => {
  const postId = await post(ada);
  await listEvents();
  await Promise.all([store.add(db, bob, postId), store.add(db, bob, postId)]);
  await store.delete(db, bob, postId);
  const about = { actorId: bob, accountId: ada, postId, commentId: null };
  expect((await listEvents()).slice(1)).toMatchObject([
    { kind: `${name}.created`, ...about },
    { kind: `${name}.deleted`, ...about },
  ]);
});

test('what is an event: a follow, a request and its approval', async () => {
  await addFollow(db, bob, ada);
  await addFollow(db, bob, ada);
  await deleteFollow(db, bob, ada);
  await setProtected(true);
  await addFollow(db, bob, ada);
  await approveRequest(db, bob, ada);
  await setProtected(false);
  const events = await listEvents();
  expect(events.map(({ kind }) => kind)).toEqual([
    'follow.created',
    'follow.deleted',
    'follow_request.created',
    'follow.created',
  ]);
  for (const event of events) expect(event).toMatchObject({ actorId: bob, accountId: ada, postId: null });
  await deleteFollow(db, bob, ada);
});

test('what is deleted with its post is no event of its own', async () => {
  const postId = await post(ada, 'hello @bob_two');
  for (const store of [likes, reposts]) await store.add(db, bob, postId);
  await comment(postId, bob);
  start = (await listEvents()).at(-1)?.position ?? start;
  await deletePost({ db, outside: db }, { id: postId, accountId: ada });
  expect(await listKinds()).toEqual(['post.deleted']);
});

test('what a deleted account did is archived and restored without events', async () => {
  const [postId, eve] = [await post(ada), await insertAccount(db, 'eve_three')];
  for (const store of [likes, reposts]) await store.add(db, eve, postId);
  await comment(postId, eve);
  await addFollow(db, eve, ada);
  const setDeleted = async (deletedAt: Date | null) =>
    await db.prisma.account.update({ where: { id: eve }, data: { deletedAt } });
  // As if it had happened ten minutes ago.
  for (const table of ['post_like', 'repost', 'comment', 'follow']) {
    await db.prisma.$executeRawUnsafe(`UPDATE ${table} SET id = id - (600000::bigint << 12)`);
  }
  start = (await listEvents()).at(-1)?.position ?? start;
  await setDeleted(new Date());
  for (const batch of archiveBatches) expect(await moveBatch(db, batch, [eve, 10])).toBe(1);
  await setDeleted(null);
  for (const batch of restoreBatches) expect(await moveBatch(db, batch, [eve, 10])).toBe(1);
  expect(await listKinds()).toEqual([]);
});

test('a rejected change is no event', async () => {
  const postId = await post(ada);
  start = (await listEvents()).at(-1)?.position ?? start;
  const failing = db.transaction(async (tx) => {
    await likes.add(tx, bob, postId);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await listEvents()).toEqual([]);
});

async function setProtected(isProtected: boolean): Promise<void> {
  await db.prisma.account.update({ where: { id: ada }, data: { protected: isProtected } });
}

const takeTransactionId = statement<readonly [], { readonly id: string }>(
  'test_transaction_id',
  'SELECT pg_current_xact_id()::text AS id',
);

test('order: an event whose transaction commits late is read after those that were committed before it', async () => {
  const [early, late] = [await post(ada), await post(ada)];
  start = (await listEvents()).at(-1)?.position ?? start;
  const commit = await begin(async (tx) => await likes.add(tx, bob, early));
  await likes.add(db, bob, late);
  const first = await listEvents();
  expect(first).toMatchObject([{ postId: late }]);
  await commit();
  await orderEvents(db);
  expect(await readEvents(db, first[0]?.position ?? 0, 10)).toMatchObject([{ postId: early }]);
});

test('order: events of one post have the order in which they happened, whichever transaction began first', async () => {
  const postId = await post(ada);
  start = (await listEvents()).at(-1)?.position ?? start;
  // An Idempotency-Key is stored first, so that a transaction that began first may come to the post second.
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: liked, resolve: like } = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await tx.query(takeTransactionId, []);
    reach();
    await liked;
    await likes.delete(tx, bob, postId);
  });
  await reached;
  await likes.add(db, bob, postId);
  // A third one, between the two, is not finished for a long time.
  const commit = await begin(async (tx) => await tx.query(takeTransactionId, []));
  like();
  await first;
  expect(await listKinds()).toEqual(['like.created', 'like.deleted']);
  await commit();
});

test('order: a reader gets each event once, while many transactions commit in any order', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `writer_${String(index)}`);
  const writers = await Promise.all(names.map(async (name) => await insertAccount(db, name)));
  const perWriter = 20;
  const read: StoredEvent[] = [];
  const isDone = () => read.length >= writers.length * perWriter;
  const write = async (authorId: number) => {
    for (let index = 0; index < perWriter; index += 1) {
      await db.transaction(async (tx) => {
        await insertPost(tx, { authorId, text: String(index), entities: findEntities('') });
        // Some transactions take longer than others.
        for (let turn = 0; turn < (index * authorId) % 7; turn += 1) await tx.query(takeTransactionId, []);
      });
    }
  };
  const order = async () => {
    while (!isDone()) await orderEvents(db);
  };
  const follow = async () => {
    while (!isDone()) read.push(...(await readEvents(db, read.at(-1)?.position ?? start, 7)));
  };
  await Promise.all([...writers.map(write), order(), order(), follow()]);
  expect(await listEvents()).toEqual(read);
  const texts = new Map((await db.prisma.post.findMany()).map(({ id, text }) => [Number(id), text]));
  for (const writer of writers) {
    const written = read.filter(({ actorId }) => actorId === writer).map(({ postId }) => texts.get(postId ?? 0));
    expect(written).toEqual(Array.from({ length: perWriter }, (_, index) => String(index)));
  }
});

test('a reader knows whether it missed events', async () => {
  await Promise.all([post(ada), post(ada)]);
  const events = await listEvents();
  const latest = events.at(-1)?.position ?? 0;
  const first = await db.prisma.event.findFirst({ orderBy: { position: 'asc' } });
  expect(await findKeptEvents(db)).toEqual({ start: Number(first?.position) - 1, latest });
  await db.prisma.event.deleteMany({ where: { position: { lt: latest } } });
  expect(await findKeptEvents(db)).toEqual({ start: latest - 1, latest });
  await db.prisma.event.deleteMany();
  expect(await findKeptEvents(db)).toEqual({ start: latest, latest });
});

test('a block ends follows, which is an event', async () => {
  await addFollow(db, bob, ada);
  await addBlock(db, ada, bob);
  expect(await listKinds()).toEqual(['follow.created', 'follow.deleted']);
});
