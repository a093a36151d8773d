// `/admin/blocks`: blocks of registrations, and their marks on the other pages.
import { findBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import type { Page } from '@linnet/test/auth/browser';
import { registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';

const { blocks: texts, reason, changedSince } = en.admin;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
});
afterEach(() => auth.db.prisma.registrationBlock.deleteMany());
afterAll(() => cleanup.disposeAsync());

const open = async (query = ''): Promise<Page> => await olga.browser.open(`/admin/blocks${query}`);

const valid = { kind: 'network', value: '192.0.2.7/24', act: 'approve', until: '2027-01-31', note: 'Wave' };

async function add(changes: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await open();
  return await olga.browser.submit(page, page.formOf('add-block'), { ...valid, reason_add: 'Ticket 4711', ...changes });
}

async function remove(page: Page, ids: readonly number[], why = 'Ticket 4712'): Promise<Page> {
  return await olga.browser.submit(page, page.formOf('remove-blocks'), { block: ids.map(String), reason_remove: why });
}

test('adds and removes, each with a reason in the audit log', async () => {
  expect((await open()).text).toContain(texts.none);
  const page = await add();
  expect([page.status, page.text.includes(texts.done.added)]).toEqual([200, true]);
  for (const text of ['192.0.2.0/24', texts.kinds.network, texts.acts.approve, 'Wave']) {
    expect(page.text).toContain(text);
  }
  const [block] = await findBlocks(auth.db);
  const removed = await remove(page, [block?.id ?? 0]);
  expect([removed.status, removed.text.includes(texts.done.removed)]).toEqual([200, true]);
  const where = { event: { startsWith: 'registration_block.' } };
  const events = await auth.db.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  expect(events).toMatchObject(
    ['Ticket 4711', 'Ticket 4712'].map((why) => ({
      actor: 'operator',
      detail: { block: String(block?.id), operator: String(olga.id), reason: why },
    })),
  );
});

test('marks those that have ended', async () => {
  await add({ until: '2020-01-31' });
  await add({ until: '9999-01-31', value: '192.0.3.0/24' });
  expect((await open()).text.match(new RegExp(texts.ended('.*?2020'), 'g'))).toHaveLength(1);
});

test.each([
  [{ kind: 'other' }, texts.errors.kind],
  [{ value: 'here' }, texts.errors.value],
  [{ act: 'other' }, texts.errors.act],
  [{ until: 'soon' }, texts.errors.until],
  [{ note: 'x'.repeat(201) }, texts.errors.note],
  [{ reason_add: '' }, reason.errors.missing],
])('refuses %j, and shows again what was typed', async (changes, message) => {
  const page = await add(changes);
  expect([page.status, page.text.includes(message)]).toEqual([422, true]);
  expect(page.html).toContain(`value="${{ ...valid, ...changes }.value}"`);
  expect(await findBlocks(auth.db)).toEqual([]);
});

test('removes nothing without a choice or a reason, or what is gone', async () => {
  await add();
  const [{ id } = { id: 0 }] = await findBlocks(auth.db);
  const shown = await open();
  expect((await remove(shown, [])).text).toContain(texts.noneChosen);
  expect((await remove(shown, [id], '')).text).toContain(reason.errors.missing);
  await auth.db.prisma.registrationBlock.deleteMany();
  const late = await remove(shown, [id]);
  expect([late.status, late.text.includes(changedSince)]).toEqual([409, true]);
});

test('finds blocks, in pages', async () => {
  const names = Array.from({ length: 51 }, (_, n) => `bad${String(n)}.example`);
  await saveBlocks(
    auth.db,
    names.map((value) => ({ kind: 'mail_domain', value, act: 'refuse', note: '', expiresAt: null })),
  );
  const page = await open('?q=BAD');
  const next = await olga.browser.open(page.link(en.admin.search.next), page);
  const shown = names.filter((name) => page.html.includes(`>${name}<`) || next.html.includes(`>${name}<`));
  expect(shown).toEqual(names);
  expect((await open('?q=other')).text).toContain(texts.none);
});

test('people and their registrations have the mark of the block that matched', async () => {
  const { id } = await registerPerson(auth.db, 'marked_person');
  await auth.db.prisma.account.update({ where: { id }, data: { mark: 'word' } });
  for (const path of ['/admin/people?q=marked_person', `/admin/people/${String(id)}`]) {
    expect((await olga.browser.open(path)).text).toContain(texts.matched(texts.kinds.word));
  }
});
