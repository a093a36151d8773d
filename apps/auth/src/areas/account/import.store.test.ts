import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beginUndo } from '@linnet/social/import/import-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { toArchive } from '@linnet/test/export-archive';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';

const { imports: texts } = catalogues.en;
const { passwordCheck } = catalogues.en.account;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let limited: RunningAuth;
let ada: Person;
let browser: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  limited = cleanup.use(await startAuth(cleanup.use(await createTestDatabase(inject('databaseServer'))).url));
  ada = await registerPerson(auth.db, 'importing');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

async function upload(files: Readonly<Record<string, unknown>>, password = ada.password, visitor = browser) {
  const page = await visitor.open('/account/import');
  const csrf = page.formOf('import-posts').fields.find(([name]) => name === 'csrf')?.[1] ?? '';
  const content = Object.keys(files).length === 0 ? Buffer.alloc(0) : Buffer.from(toArchive(files));
  return await visitor.submitFile(page, { fields: { csrf, password }, name: 'archive', content });
}

const posts = (text: string, id = 1) => ({ 'posts.json': [{ id, text, created_at: '2026-01-02T03:04:05.000Z' }] });
const textsOf = async () =>
  (await auth.db.prisma.post.findMany({ where: { authorId: ada.id } })).map(({ text }) => text);

test.each([
  ['no file', {}, undefined, texts.problems.missing],
  ['another ZIP file', { 'hello.json': [] }, undefined, texts.problems['unknown-files']],
  ['broken JSON', { 'posts.json': '[' }, undefined, `${texts.problems.damaged} (posts.json)`],
  ['a broken repository', { 'repo.car': 'CAR' }, undefined, `${texts.problems.damaged} (repo.car)`],
  ['no password', posts('One'), '', passwordCheck.missing],
  ['a wrong password', posts('One'), 'guess', passwordCheck.wrong],
])('%s: nothing is stored', async (_, files, password, text) => {
  const refused = await upload(files, password);
  expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
  expect(await textsOf()).toEqual([]);
});

const list = async () => (await browser.open('/account/import')).text;
const filesOf = async () => await readdir(auth.importDirectory);

/** As if the process had died a while ago. */
const endLease = async (since = 0) =>
  await auth.db.prisma.accountImport.updateMany({
    where: { dueAt: { not: null } },
    data: { dueAt: new Date(Date.now() - since) },
  });

test('D208 a person imports a file, sees what became of it, and undoes it', async () => {
  const started = await upload({ ...posts('Long ago'), 'likes.json': [{ item_id: 5 }] });
  expect(started.text).toContain(texts.started);
  expect(started.text).toContain(texts.states.running);
  expect(await filesOf()).toHaveLength(1);
  expect((await upload(posts('Another'))).text).toContain(texts.problems['one-at-a-time']);
  await auth.runJob('imports');
  expect(await filesOf()).toEqual([]);
  const page = await browser.open('/account/import');
  expect(page.text).toContain(texts.states.finished);
  expect(page.text).toContain(texts.stored(1, 0, 0));
  expect(page.text).toContain(`${texts.reasons.likes} (1)`);
  expect(await textsOf()).toEqual(['Long ago']);
  const [{ id } = { id: 0n }] = await auth.db.prisma.accountImport.findMany();
  for (const wrong of ['x', '5', '99999999999999999999']) {
    await browser.submit(page, page.formOf('undo-import'), { id: wrong });
    await auth.runJob('imports');
    expect(await textsOf()).toEqual(['Long ago']);
  }
  const undone = await browser.submit(page, page.formOf('undo-import'), { id: String(id) });
  expect(undone.text).toContain(texts.undone);
  expect(undone.text).toContain(texts.states.undoing);
  await auth.runJob('imports');
  expect(await textsOf()).toEqual([]);
  expect(await list()).toContain(texts.states.undone);
  await vi.waitFor(async () => {
    const history = await browser.open('/account/activity');
    expect(history.text).toContain(catalogues.en.activity.events['account.import_undone']);
    expect(history.text).toContain(catalogues.en.activity.events['account.imported']);
  }, 50_000);
});

describe('D208 an import continues by itself', () => {
  // All of one moment, soon after the beginning of time.
  const many = Array.from({ length: 120 }, (_, index) => ({
    ...{ id: index + 1, text: `Post ${String(index)}`, created_at: '2026-01-01T01:00:01.000Z' },
  }));

  test('where a process that stopped or died left it, in one process at a time', async () => {
    await upload({ 'posts.json': many });
    const stopping = new AbortController();
    const job = auth.jobs.find(({ name }) => name === 'imports');
    const stopped = auth.db.prisma.post
      .create({ data: { authorId: ada.id, text: 'New' } })
      .then(() => stopping.abort());
    await Promise.all([job?.run(stopping.signal), stopped]);
    await auth.db.prisma.post.deleteMany({ where: { text: 'New' } });
    expect(await list()).toContain(texts.states.running);
    expect(await filesOf()).toHaveLength(1);
    await auth.db.prisma.accountImport.updateMany({
      where: { state: 'running' },
      data: { dueAt: new Date(Date.now() + 60_000) },
    });
    const before = (await textsOf()).length;
    await auth.runJob('imports');
    expect(await textsOf()).toHaveLength(before);
    await endLease();
    await Promise.all([auth.runJob('imports'), auth.runJob('imports')]);
    expect(new Set(await textsOf()).size).toBe(120);
    expect(await textsOf()).toHaveLength(120);
    expect(await list()).toContain(texts.stored(120, 0, 0));
    expect(await filesOf()).toEqual([]);
  });

  test('fails if the file is gone, and says what to do; the same file continues', async () => {
    await upload(posts('Lost', 201));
    await rm(auth.importDirectory, { recursive: true });
    await auth.runJob('imports');
    expect(await list()).toContain(texts.states.running);
    await endLease(660_000);
    await auth.runJob('imports');
    expect(await list()).toContain(`${texts.states.failed} ${texts.failures.interrupted}`);
    await upload(posts('Lost', 201));
    await auth.runJob('imports');
    expect(await textsOf()).toContain('Lost');
  });

  test('fails after five faults without progress; each is logged', async () => {
    await auth.db.prisma.accountImport.deleteMany();
    await upload(posts('Never', 202));
    const { prisma } = auth.db;
    await prisma.$executeRaw`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''broken''; END'`;
    await prisma.$executeRaw`CREATE TRIGGER broken BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION fail()`;
    auth.log.length = 0;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await endLease();
      await auth.runJob('imports');
    }
    expect(auth.log.filter((line) => line.includes('import failed'))).toHaveLength(5);
    expect(await list()).toContain(`${texts.states.failed} ${texts.failures.fault}`);
    await prisma.$executeRaw`DROP TRIGGER broken ON post`;
  });

  test('ends with its account, and leaves no file', async () => {
    await upload(posts('Hidden', 203));
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { suspendedAt: new Date() } });
    await auth.runJob('imports');
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { suspendedAt: null } });
    expect(await filesOf()).toEqual([]);
    expect(await auth.db.prisma.accountImport.findFirst({ where: { posts: 0, state: 'failed' } })).toMatchObject({
      problem: expect.any(String),
    });
    expect(await textsOf()).not.toContain('Hidden');
  });
});

describe('D208 the mail about an import', () => {
  const change = async (data: Parameters<typeof auth.db.prisma.account.update>[0]['data']) =>
    await auth.db.prisma.account.update({ where: { id: ada.id }, data });
  const read = async () => {
    do await auth.deliverMail();
    while ((await auth.db.prisma.mail.count()) > 0);
    return (await mailTo(auth.mailDirectory, ada.email)).filter(({ text }) => text.includes('/account/import'));
  };
  let key = 300;

  /** One that fails loses its file. */
  async function runImport(outcome: 'finished' | 'failed'): Promise<void> {
    await auth.db.prisma.accountImport.deleteMany();
    key += 1;
    await upload(posts(`Mailed ${String(key)}`, key));
    if (outcome === 'failed') {
      await rm(auth.importDirectory, { recursive: true });
      await endLease(660_000);
    }
    await auth.runJob('imports');
  }

  test.each(['en', 'de', 'fr', 'es'] as const)('says that it has finished or failed: %s', async (language) => {
    const { mail, imports } = catalogues[language];
    await change({ emailVerifiedAt: new Date() });
    for (const outcome of ['finished', 'failed'] as const) {
      const before = await read();
      await runImport(outcome);
      await change({ language });
      const [sent, ...others] = (await read()).slice(before.length);
      await change({ language: 'en' });
      expect(others).toEqual([]);
      expect(sent?.subject).toBe(mail.importEnded[outcome].subject('Linnet'));
      expect(sent?.text).toContain(imports.stored(outcome === 'finished' ? 1 : 0, 0, 0));
      expect(sent?.text.includes(imports.failures.interrupted)).toBe(outcome === 'failed');
    }
  });

  test('does not come without a confirmed address, for one that is undone, or to somebody who is suspended', async () => {
    const before = await read();
    await change({ emailVerifiedAt: null });
    await runImport('finished');
    await change({ emailVerifiedAt: new Date() });
    expect(await read()).toEqual(before);
    await runImport('finished');
    const { id } = await auth.db.prisma.accountImport.findFirstOrThrow();
    expect(await beginUndo(auth.db, ada.id, Number(id))).toBe(true);
    expect(await read()).toEqual(before);
    await runImport('finished');
    await change({ suspendedAt: new Date() });
    expect(await read()).toEqual(before);
    await change({ suspendedAt: null });
  });
});

test('files of ended imports and of interrupted uploads are removed; twenty are enough', async () => {
  await auth.db.prisma.accountImport.deleteMany();
  await mkdir(auth.importDirectory, { recursive: true });
  const [old, young] = ['ab12', 'cd34'].map((name) => join(auth.importDirectory, name));
  for (const path of [old, young]) await writeFile(path ?? '', '');
  await utimes(old ?? '', 0, 0);
  for (let id = 1; id <= 20; id += 1) await writeFile(join(auth.importDirectory, String(id)), '');
  expect((await upload(posts('Another one'))).text).toContain(texts.problems.busy);
  await auth.runJob('import-files');
  expect(await filesOf()).toEqual(['cd34']);
});

test('ten files a day, refused ones too; an undo is no file', async () => {
  const other = await registerPerson(limited.db, 'sends_many');
  const visitor = createBrowser(limited);
  await signIn(visitor, other);
  const send = async (files: Readonly<Record<string, unknown>>) => await upload(files, other.password, visitor);
  expect((await send(posts('The first'))).text).toContain(texts.started);
  for (let sent = 1; sent < 10; sent += 1) expect((await send({ 'hello.json': [] })).status).toBe(422);
  const refused = await send(posts('One more'));
  expect([refused.status, refused.text.includes(texts.problems['too-many'])]).toEqual([429, true]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
  const { id } = await limited.db.prisma.accountImport.findFirstOrThrow({ where: { accountId: other.id } });
  const page = await visitor.open('/account/import');
  const undone = await visitor.submit(page, page.formOf('undo-import'), { id: String(id) });
  expect(undone.text).toContain(texts.undone);
});
