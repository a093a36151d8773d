import { createTestDatabase } from '@linnet/test/db/test-database';
import { toArchive } from '@linnet/test/export-archive';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';

const { imports: texts } = catalogues.en;
const { passwordCheck } = catalogues.en.account;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'importing');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

async function upload(files: Readonly<Record<string, unknown>>, password = ada.password) {
  const page = await browser.open('/account/import');
  const csrf = page.formOf('import-posts').fields.find(([name]) => name === 'csrf')?.[1] ?? '';
  const content = Object.keys(files).length === 0 ? Buffer.alloc(0) : Buffer.from(toArchive(files));
  return await browser.submitFile(page, { fields: { csrf, password }, name: 'archive', content });
}

const posts = (text: string) => ({ 'posts.json': [{ id: 1, text, created_at: '2026-01-02T03:04:05.000Z' }] });
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

test('D208 a person imports a file, sees what became of it, and undoes it', async () => {
  const started = await upload({ ...posts('Long ago'), 'likes.json': [{ item_id: 5 }] });
  expect(started.text).toContain(texts.started);
  await vi.waitFor(async () => expect((await browser.open('/account/import')).text).toContain(texts.states.finished));
  const page = await browser.open('/account/import');
  expect(page.text).toContain(texts.stored(1, 0, 0));
  expect(page.text).toContain(`${texts.reasons.likes} (1)`);
  expect(await textsOf()).toEqual(['Long ago']);
  const [{ id } = { id: 0n }] = await auth.db.prisma.accountImport.findMany();
  for (const wrong of ['x', '5', '99999999999999999999']) {
    await browser.submit(page, page.formOf('undo-import'), { id: wrong });
    expect(await textsOf()).toEqual(['Long ago']);
  }
  const undone = await browser.submit(page, page.formOf('undo-import'), { id: String(id) });
  expect(undone.text).toContain(texts.undone);
  await vi.waitFor(async () => expect(await textsOf()).toEqual([]));
  await vi.waitFor(async () => {
    const history = await browser.open('/account/activity');
    expect(history.text).toContain(catalogues.en.activity.events['account.import_undone']);
    expect(history.text).toContain(catalogues.en.activity.events['account.imported']);
  });
});

test('five files a day', async () => {
  await auth.db.prisma.accountImport.deleteMany();
  const data = Array.from({ length: 5 }, (_, index) => ({
    ...({ accountId: ada.id, source: 'linnet', state: 'finished', finishedAt: new Date() } as const),
    fileSha256: Buffer.alloc(32, index),
  }));
  await auth.db.prisma.accountImport.createMany({ data });
  const refused = await upload(posts('One more'));
  expect([refused.status, refused.text.includes(texts.problems['too-many'])]).toEqual([429, true]);
  await auth.db.prisma.accountImport.updateMany({ data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
  expect((await upload(posts('One more'))).text).toContain(texts.started);
});
