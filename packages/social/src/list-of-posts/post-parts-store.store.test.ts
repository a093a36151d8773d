import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { deletePost } from '../post/post-delete-store.ts';
import { editPost } from '../post/post-edit-store.ts';
import { insertPost } from '../post/post-create-store.ts';
import { createPostPartsMemory } from './post-parts-store.ts';
import { findEntities } from '../post/post-text.ts';

const context = {
  baseUrl: 'https://linnet.example',
  mediaUrl: 'https://linnet.example',
  serviceName: 'linnet',
  mediaSignatures: { sign: () => '', verify: () => undefined },
};

const cleanup = new AsyncDisposableStack();
const statements: string[] = [];
let db: Db;
let authorId: number;

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(
    openDatabase({ url, poolSize: 2, prepare: true, onStatement: (text) => void statements.push(text) }),
  );
  authorId = await insertAccount(db, 'author');
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => void (statements.length = 0));

async function write(text: string): Promise<number> {
  const post = await insertPost(db, { authorId, text, entities: findEntities(text) });
  statements.length = 0;
  return post?.id ?? 0;
}

/** The version of a post that was not edited when its list was read. */
const first = (id: number) => ({ id, versionId: id });

test('a remembered post is not read again', async () => {
  const memory = createPostPartsMemory(context, 10_000);
  const id = await write('To "all" \u2028 of #you');
  const [read, again] = [await memory.find(db, [first(id), first(id)]), await memory.find(db, [first(id)])];
  expect(again).toEqual(read);
  expect(statements).toHaveLength(1);
  const { written = '', entities = '' } = read.get(id) ?? {};
  expect(JSON.parse(`{${written},${entities}}`)).toEqual({
    id,
    text: 'To "all" \u2028 of #you',
    created: expect.any(String),
    created_at: expect.any(String),
    link: `https://linnet.example/p/${String(id)}`,
    hashtags: [{ text: 'you', indices: [14, 18] }],
    urls: [],
  });
});

test('the posts that were remembered first are dropped when the limit is reached', async () => {
  const memory = createPostPartsMemory(context, 3000);
  const ids = [await write('a'.repeat(400)), await write('b'.repeat(400)), await write('c'.repeat(400))];
  for (const id of ids) await memory.find(db, [first(id)]);
  statements.length = 0;
  await memory.find(db, ids.slice(1).map(first));
  expect(statements).toEqual([]);
  expect([...(await memory.find(db, ids.map(first))).keys()].toSorted((a, b) => a - b)).toEqual(ids);
  expect(statements).toHaveLength(1);
});

test('a post that was deleted before its parts are read has none', async () => {
  const memory = createPostPartsMemory(context, 10_000);
  const [kept, deleted] = [await write('kept'), await write('deleted')];
  await deletePost({ db, outside: db }, { id: deleted, accountId: authorId });
  expect([...(await memory.find(db, [deleted, kept].map(first))).keys()]).toEqual([kept]);
});

test('each version has its parts, also one that was edited after the list was read', async () => {
  const memories = [createPostPartsMemory(context, 10_000), createPostPartsMemory(context, 10_000)] as const;
  const id = await write('before #one');
  await memories[0].find(db, [first(id)]);
  const edited = await editPost(db, {
    id,
    accountId: authorId,
    text: 'after #two',
    entities: findEntities('after #two'),
  });
  const versionId = typeof edited === 'object' ? (edited.versionId ?? 0) : 0;
  for (const memory of memories) {
    const parts = await memory.find(db, [first(id), { id, versionId }]);
    const [before, after] = [id, versionId].map((version) => {
      const { written = '', entities = '' } = parts.get(version) ?? {};
      return JSON.parse(`{${written},${entities}}`);
    });
    expect(before).toMatchObject({ id, text: 'before #one', hashtags: [{ text: 'one' }] });
    expect(after).toMatchObject({ id, text: 'after #two', hashtags: [{ text: 'two' }], created_at: before.created_at });
    expect([before.edited_at, after.edited_at]).toEqual([undefined, expect.stringMatching(/Z$/)]);
  }
});
