// `linnet user|post|comment|media delete`, as an operator runs them.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { run } from '@linnet/test/cli/run';
import { readArchive } from '@linnet/test/export-archive';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

const cleanup = new AsyncDisposableStack();
let db: Db;
let folder: string;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  folder = await mkdtemp(join(tmpdir(), 'linnet-export-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
  vi.stubEnv('DATA_DIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

const why = ['--reason', 'Ticket 4711'] as const;
const by = { actor: 'operator', detail: { reason: 'Ticket 4711' } };

async function linnet(...args: readonly string[]) {
  const { status, stdout } = await run(...args, ...why, '--json');
  return { status, document: JSON.parse(stdout) };
}
const done = { status: 0, document: { ok: true } };
const notFound = (kind: string) => ({ status: 1, document: { error: { code: `${kind}-not-found` } } });

const eventsOf = async (accountId: number) =>
  await db.prisma.auditEvent.findMany({
    where: { accountId, event: { not: 'account.registered' } },
    orderBy: { id: 'asc' },
  });

/** Somebody with a post, a comment of somebody else and a picture. */
async function createAuthor(username: string) {
  const [id, commenter] = [await insertAccount(db, username), await insertAccount(db, `${username}_friend`)];
  const posted = await insertPost(db, { authorId: id, text: 'Spam', entities: findEntities('') });
  if (typeof posted !== 'object') throw new Error('the post was not stored');
  await db.prisma.post.update({ where: { id: posted.id }, data: { commentsCount: 1 } });
  const comment = await db.prisma.comment.create({ data: { postId: posted.id, authorId: commenter, text: 'Spam' } });
  const name = `${String(id).padStart(32, '0')}.png`;
  const media = await db.prisma.media.create({ data: { ownerId: id, name, bytes: 1, width: 1, height: 1 } });
  return { id, commenter, post: posted.id, comment: Number(comment.id), media: Number(media.id) };
}

describe('post, comment and media', () => {
  test.each(['active', 'suspended'] as const)('delete what an account left that is %s', async (state) => {
    const author = await createAuthor(`author_${state}`);
    if (state === 'suspended') await createAccounts(db).suspend(`author_${state}`);
    for (const kind of ['comment', 'media', 'post'] as const) {
      expect(await linnet(kind, 'delete', String(author[kind]))).toEqual(done);
      expect(await linnet(kind, 'delete', String(author[kind]))).toMatchObject(notFound(kind));
      const accountId = kind === 'comment' ? author.commenter : author.id;
      const last = (await eventsOf(accountId)).at(-1);
      const detail = { ...by.detail, item: String(author[kind]) };
      expect(last).toMatchObject({ event: `${kind}.deleted`, actor: 'operator', detail });
    }
    expect(await db.prisma.account.findUnique({ where: { id: author.id } })).toMatchObject({ postsCount: 0 });
  });

  test.each([
    [['post', 'delete', 'x', ...why], 'usage'],
    [['post', 'delete', '7'], 'usage'],
    [['media', 'delete', '7', '--reason', 'me@example.org'], 'usage'],
  ])('%j: %s', async (args, code) => {
    const { status, stdout } = await run(...args, '--json');
    expect([status, JSON.parse(stdout).error.code]).toEqual([1, code]);
  });
});

describe('user delete', () => {
  test('hides an account, which can be restored', async () => {
    const { id } = await createAuthor('mistaken');
    expect(await linnet('user', 'delete', 'MISTAKEN')).toEqual(done);
    expect(await linnet('user', 'delete', 'mistaken')).toMatchObject(notFound('account'));
    expect(await eventsOf(id)).toMatchObject([{ event: 'account.deleted', ...by }]);
    expect(await createAccounts(db).restore('mistaken')).toBe(true);
  });

  test.each(['active', 'suspended', 'deleted'] as const)('--now erases an account that is %s', async (state) => {
    const { id, post, media } = await createAuthor(`gone_${state}`);
    if (state === 'suspended') await createAccounts(db).suspend(`gone_${state}`);
    if (state === 'deleted') await linnet('user', 'delete', `gone_${state}`);
    expect(await linnet('user', 'delete', `gone_${state}`, '--now')).toEqual(done);
    expect(await db.prisma.account.findUnique({ where: { id } })).toMatchObject({
      displayName: '-',
      passwordHash: '-',
    });
    expect(await db.prisma.post.count({ where: { id: post } })).toBe(0);
    expect(await db.prisma.media.count({ where: { id: media } })).toBe(0);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'account.erased', ...by });
    expect(await linnet('user', 'delete', `gone_${state}`, '--now')).toMatchObject(notFound('account'));
  });
});

describe('user delete --from-log', () => {
  const unchanged = (code: string) => ({ status: 1, document: { error: { code } } });
  const write = async (name: string, ...lines: readonly unknown[]) => {
    const file = join(folder, name);
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
    return file;
  };
  const after = '2100-01-01T00:00:00.000';
  const printed = (id: number, event = 'account.erased', at = `${after}Z`) => ({ id: 1, at, event, account_id: id });
  const archived = (id: number) => [7, after, 'account.erased', 'service', id, null, null, {}];

  test.each([
    ['lines.jsonl', (id: number) => [printed(id), printed(id), printed(4_000_000)]],
    ['list.json', (id: number) => [[printed(id), printed(4_000_000)]]],
    [
      'archive.gz',
      (id: number) => [{ linnet_audit_archive: 1 }, archived(id), archived(4_000_000), { seal: 1 }, { seals: 1 }],
    ],
  ])('%s: erases whom it names, once', async (name, toLines) => {
    const { id, post } = await createAuthor(`again_${name.replace('.', '_')}`);
    const { id: stays } = await createAuthor(`stays_${name.replace('.', '_')}`);
    const file = await write(name, ...toLines(id), printed(stays, 'account.deleted'));
    const erase = ['user', 'delete', '--from-log', file];
    const asked = await linnet(...erase);
    expect(asked).toMatchObject(unchanged('not-confirmed'));
    expect(asked.document.error.message).toContain(`(id ${String(id)})`);
    const named = { id, username: expect.stringContaining('again_') };
    const erased = [{ ...named, ok: true }];
    expect(await linnet(...erase, '--yes')).toEqual({ status: 0, document: { erased, skipped: 1 } });
    expect(await db.prisma.post.count({ where: { id: post } })).toBe(0);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'account.erased', ...by });
    expect(await linnet(...erase)).toEqual({ status: 0, document: { erased: [], skipped: 2 } });
    expect(await db.prisma.account.findUnique({ where: { id: stays } })).toMatchObject({ deletedAt: null });
  });

  test('spares somebody who got the id after the restore', async () => {
    const { id } = await createAuthor('newcomer');
    const file = await write('early.jsonl', printed(id, 'account.erased', '2020-01-01T00:00:00.000Z'));
    const document = { erased: [], skipped: 1 };
    expect(await linnet('user', 'delete', '--from-log', file, '--yes')).toEqual({ status: 0, document });
  });

  test.each([
    ['text', ['Dear Ada'], [], 'unreadable-file'],
    ['other', [{ hello: 'Ada' }], [], 'unreadable-file'],
    ['broken.gz', undefined, [], 'unreadable-file'],
    ['missing', undefined, [], 'unreadable-file'],
    ['empty', [], ['ada'], 'usage'],
    ['empty', [], ['--matching', 'ada'], 'usage'],
  ])('%s %j %j: %s', async (name, lines, args, code) => {
    const file = join(folder, name);
    if (lines !== undefined) await write(name, ...lines);
    if (name === 'broken.gz') await writeFile(file, gzipSync('[]'.repeat(99)).subarray(0, 15));
    expect(await linnet('user', 'delete', '--from-log', file, ...args)).toMatchObject(unchanged(code));
  });
});

describe('user export', () => {
  test('writes the file once, with the pictures', async () => {
    const { id } = await createAuthor('exported');
    const [{ name } = { name: '' }] = await db.prisma.media.findMany({ where: { ownerId: id } });
    await mkdir(join(folder, 'media', name.slice(0, 2)), { recursive: true });
    await writeFile(join(folder, 'media', name.slice(0, 2), name.replace('.', '.full.')), 'picture');
    const file = join(folder, 'export.zip');
    expect(await linnet('user', 'export', 'EXPORTED', '--output', file)).toEqual({ status: 0, document: { file } });
    expect((await stat(file)).mode % 0o1000).toBe(0o600);
    const { json, bytes } = readArchive(await readFile(file));
    expect(json).toMatchObject({ posts: [{ text: 'Spam' }], media: [{ file: `media/${name}` }] });
    expect(Buffer.from(bytes(`media/${name}`)).toString()).toBe('picture');
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'account.exported', ...by });
    const again = await linnet('user', 'export', 'exported', '--output', file);
    expect(again).toMatchObject({ status: 1, document: { error: { code: 'file-exists' } } });
    expect(await linnet('user', 'export', 'nobody')).toMatchObject(notFound('account'));
    await linnet('user', 'delete', 'exported');
    const deleted = await linnet('user', 'export', 'exported');
    expect(deleted).toMatchObject({ status: 1, document: { error: { code: 'account-deleted' } } });
  });
});
