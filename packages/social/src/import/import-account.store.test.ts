import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { toArchive } from '@linnet/test/export-archive';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { ImportBusy, beginImport, continueImport, importFile, undoFile } from './import-account.ts';
import type { ImportTarget } from './import-account.ts';
import { findImports } from './import-store.ts';

const cleanup = new AsyncDisposableStack();
let folder: string;
/** As two processes have them. */
let dbs: readonly [Db, Db];

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const open = () => cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  dbs = [open(), open()];
  folder = await mkdtemp(join(tmpdir(), 'linnet-import-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
});
afterAll(() => cleanup.disposeAsync());

// No post has a picture.
const media: ImportTarget['media'] = {
  storage: { draftDirectory: '' } as ImportTarget['media']['storage'],
  imports: { receive: () => expect.unreachable() },
};

async function write(from: number, number: number): Promise<string> {
  const posts = Array.from({ length: number }, (_, index) => from + index).map((id) => ({
    ...{ id, text: `Post ${String(id)}`, created_at: '2026-02-03T04:05:06.000Z' },
  }));
  const comments = posts.map(({ id, created_at }) => ({ id: id + 1000, text: 'And', created_at, item_id: id }));
  const path = join(folder, `${String(from)}-${String(number)}.zip`);
  await writeFile(path, toArchive({ 'posts.json': posts, 'comments.json': comments }));
  return path;
}

let accounts = 0;

/** The same account in both processes. */
async function prepare(): Promise<readonly [ImportTarget, ImportTarget]> {
  accounts += 1;
  const accountId = await insertAccount(dbs[0], `racer_${String(accounts)}`);
  const target = { media, accountId, baseUrl: 'https://linnet.example' };
  return [
    { ...target, db: dbs[0] },
    { ...target, db: dbs[1] },
  ];
}

/** What is stored, what the account and the imports count, and what they remember. */
async function count({ accountId }: ImportTarget) {
  const [{ prisma }] = dbs;
  const posts = await prisma.post.findMany({ where: { authorId: accountId } });
  const { postsCount } = await prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  const rows = await findImports(dbs[0], accountId);
  return {
    ...{ posts: posts.length, texts: new Set(posts.map(({ text }) => text)).size, postsCount },
    comments: await prisma.comment.count({ where: { authorId: accountId } }),
    commentsCount: posts.reduce((sum, { commentsCount }) => sum + commentsCount, 0),
    counted: [rows.reduce((sum, row) => sum + row.posts, 0), rows.reduce((sum, row) => sum + row.comments, 0)],
    items: await prisma.importedItem.count({ where: { import: { accountId } } }),
    states: rows.map(({ state }) => state),
  };
}

const whole = (posts: number, ...states: readonly string[]) => ({
  ...{ posts, texts: posts, postsCount: posts, comments: posts, commentsCount: posts, counted: [posts, posts] },
  ...{ items: 2 * posts, states },
});

describe('D208 two processes at a time', () => {
  test.each([1, 2])('import the same file: one of them stores everything once (round %i)', async () => {
    const targets = await prepare();
    const path = await write(1, 60);
    const outcomes = await Promise.allSettled(targets.map(async (target) => await importFile(target, path)));
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failures.filter((error) => !(error instanceof ImportBusy))).toEqual([]);
    expect(failures.length).toBeLessThan(2);
    expect(await count(targets[0])).toEqual(whole(60, 'finished'));
  });

  test('import files with the same posts: what is in both is stored once', async () => {
    const targets = await prepare();
    const paths = [await write(1, 60), await write(31, 60)];
    const outcomes = await Promise.allSettled(
      targets.map(async (target, index) => await importFile(target, paths[index] ?? '')),
    );
    expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
    for (const path of paths) await importFile(targets[0], path);
    expect(await count(targets[0])).toEqual(whole(90, 'finished', 'finished'));
  });

  test('continue the same import, because the lease of one has ended: everything is stored once', async () => {
    const targets = await prepare();
    const path = await write(1, 130);
    const { id } = await beginImport(targets[0], path);
    await Promise.all(targets.map(async (target) => await continueImport({ ...target, id }, path)));
    expect(await count(targets[0])).toEqual(whole(130, 'finished'));
  });

  test.each([1, 2])('import and undo: nothing is left after %i batches, and the file can come again', async (after) => {
    const targets = await prepare();
    const path = await write(1, 130);
    const stored = Promise.withResolvers<void>();
    let batches = 0;
    const mayContinue = () => {
      batches += 1;
      if (batches === after) stored.resolve();
      return true;
    };
    const undone = stored.promise.then(async () => await undoFile(targets[1].db, targets[1].accountId, path));
    await Promise.all([importFile(targets[0], path, { mayContinue }), undone]);
    expect(await undone).toBeGreaterThan(0);
    expect(await count(targets[0])).toEqual(whole(0, 'undone'));
    await importFile(targets[0], path);
    expect(await count(targets[0])).toEqual(whole(130, 'finished'));
  });

  test('undo: each post is deleted once, and one of them says how many', async () => {
    const targets = await prepare();
    const path = await write(1, 60);
    await importFile(targets[0], path);
    const deleted = await Promise.all(targets.map(async ({ db, accountId }) => await undoFile(db, accountId, path)));
    expect(new Set(deleted)).toEqual(new Set([120, undefined]));
    expect(await count(targets[0])).toEqual(whole(0, 'undone'));
  });
});
