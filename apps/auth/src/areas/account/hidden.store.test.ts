import { createTestDatabase } from '@linnet/test/db/test-database';
import { addWordFilter } from '@linnet/social/filter/word-filter-store';
import { addMute } from '@linnet/social/mute/mute-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { hiddenActions } from './hidden-page.tsx';

const path = '/account/hidden';
const texts = en.hidden;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let grace: Person;
let ada: Person;
let browser: Browser;
let people = 0;

const newPerson = async () => await registerPerson(auth.db, `hidden_${String((people += 1))}`);

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, {}));
  grace = await registerPerson(auth.db, 'grace_hopper');
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  ada = await newPerson();
  browser = createBrowser(auth);
  await signIn(browser, ada);
});

async function send(button: string, values: FormValues): Promise<Page> {
  return await press(await browser.open(path), button, values);
}

/** Presses the first button of its kind; in a list, that of the first row. */
async function press(page: Page, button: string, values: FormValues = {}): Promise<Page> {
  const form = page.formOf(button);
  return await browser.submit(page, form, { ...Object.fromEntries(form.buttons.slice(0, 1)), ...values });
}

const rowsOf = ({ html }: Page, button: string) =>
  [...html.matchAll(new RegExp(`data-testid="${button}"`, 'g'))].length;

/** What Ada hides: filters, mutes and blocks; days until each ends. */
async function hidden() {
  const { prisma } = auth.db;
  const [filters, mutes, blocks] = await Promise.all([
    prisma.wordFilter.findMany({ where: { accountId: ada.id } }),
    prisma.mute.findMany({ where: { muterId: ada.id } }),
    prisma.block.findMany({ where: { blockerId: ada.id } }),
  ]);
  const days = (end: Date | null) => end && Math.round((end.getTime() - Date.now()) / 86_400_000);
  return {
    filters: filters.map(({ text, part, endsAt }) => [text, part, days(endsAt)]),
    mutes: mutes.map(({ mutedId, endsAt }) => [Number(mutedId), days(endsAt)]),
    blocks: blocks.map(({ blockedId }) => Number(blockedId)),
  };
}

const nothing = { filters: [], mutes: [], blocks: [] };

describe('the page of what an account hides', () => {
  test('adds word filters with an end, and removes them', async () => {
    const added = await send('add-filter', { text: ' Season finale ', part: 'yes', ends: 'week' });
    expect(added.text).toContain(texts.done.filterAdded);
    expect(added.text).toContain(texts.until('').trim());
    expect(await hidden()).toEqual({ ...nothing, filters: [['Season finale', true, 7]] });
    await send('add-filter', { text: 'season finale', ends: 'made up' });
    expect(await hidden()).toEqual({ ...nothing, filters: [['season finale', false, null]] });
    const removed = await send('remove-filter', {});
    expect(removed.text).toContain(texts.done.filterRemoved);
    expect(removed.text).toContain(texts.filters.none);
    expect(await hidden()).toEqual(nothing);
  });

  test('mutes and blocks accounts by username, and undoes it', async () => {
    const muted = await send('mute', { mute: '@Grace_Hopper', ends: 'day' });
    expect([muted.status, muted.text.includes(texts.done.muted)]).toEqual([200, true]);
    const blocked = await send('block', { block: 'grace_hopper' });
    expect(blocked.text).toContain(texts.done.blocked);
    expect(await hidden()).toEqual({ filters: [], mutes: [[grace.id, 1]], blocks: [grace.id] });
    expect((await send('unmute', {})).text).toContain(texts.done.unmuted);
    expect((await send('unblock', {})).text).toContain(texts.muted.none);
    expect(await hidden()).toEqual(nothing);
  });

  test.each([
    ['add-filter', { text: '' }, texts.errors.text],
    ['add-filter', { text: '…!' }, texts.errors.text],
    ['add-filter', { text: 'a'.repeat(101) }, texts.errors.text],
    ['mute', { mute: '' }, texts.errors.unknown],
    ['mute', { mute: 'nobody_has_this' }, texts.errors.unknown],
    ['block', { block: "x' OR '1'='1" }, texts.errors.unknown],
    ['block', { block: '@OWN' }, texts.errors.own],
  ])('%s refuses %j', async (button, values, error) => {
    const sent = Object.fromEntries(
      Object.entries(values).map(([name, text]) => [name, text === '@OWN' ? ada.username : text]),
    );
    const page = await send(button, sent);
    expect([page.status, page.text.includes(error)]).toEqual([422, true]);
    expect(await hidden()).toEqual(nothing);
  });

  test('takes 100 filters, and lists 15 on a page', async () => {
    const add = async (text: string) =>
      await addWordFilter(auth.db, { accountId: ada.id, text, isPart: false, endsAt: undefined });
    for (let number = 1; number < 100; number += 1) await add(`word ${String(number)}`);
    const page = await browser.open(path);
    await add('the last');
    const refused = await browser.submit(page, page.formOf('add-filter'), { text: 'one more' });
    expect([refused.status, refused.text.includes(texts.filters.full)]).toEqual([422, true]);
    expect((await hidden()).filters).toHaveLength(100);
    const last = await browser.open(`${path}?filters=99`);
    expect([rowsOf(last, 'remove-filter'), last.html.includes('filters=6')]).toEqual([10, true]);
    expect(last.text).toContain('word 1');
    const removed = await press(last, 'remove-filter');
    expect([removed.url.search.includes('filters=99'), rowsOf(removed, 'remove-filter')]).toEqual([true, 9]);
  });

  test('lists 15 accounts on a page, and stays there when one is unmuted', async () => {
    for (let number = 0; number < 16; number += 1) {
      await addMute(auth.db, { muterId: ada.id, mutedId: (await newPerson()).id, endsAt: undefined });
    }
    const first = await browser.open(path);
    const second = await browser.open(first.link('Older'), first);
    expect([rowsOf(first, 'unmute'), rowsOf(second, 'unmute')]).toEqual([15, 1]);
    const done = await press(second, 'unmute');
    expect([done.url.searchParams.has('muted'), done.text.includes(texts.done.unmuted)]).toEqual([true, true]);
    expect((await hidden()).mutes).toHaveLength(15);
  });

  test.each(['', '0', '-1', 'x', '9'.repeat(30), '1'])('removes nothing for the id %j', async (id) => {
    await send('mute', { mute: grace.username });
    const page = await send('unmute', { id });
    expect(page.status).toBe(200);
    expect((await hidden()).mutes).toHaveLength(1);
  });

  test('leaves the filters of others alone', async () => {
    const other = await addWordFilter(auth.db, { accountId: grace.id, text: 'hers', isPart: false, endsAt: undefined });
    await send('add-filter', { text: 'mine' });
    await send('remove-filter', { id: String(other?.id) });
    const filters = await auth.db.prisma.wordFilter.findMany({ where: { accountId: { in: [ada.id, grace.id] } } });
    expect(filters.map(({ text }) => text).toSorted()).toEqual(['hers', 'mine']);
  });

  test('slows down who adds too often', async () => {
    await send('add-filter', { text: 'first' });
    await auth.db.prisma.$executeRaw`UPDATE rate_limit SET points = 60 WHERE key = ${`social-act:${String(ada.id)}`}`;
    for (const [button, values] of [
      ['add-filter', { text: 'second' }],
      ['mute', { mute: grace.username }],
      ['block', { block: grace.username }],
    ] as const) {
      const refused = await send(button, values);
      expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    }
    expect(await hidden()).toEqual({ ...nothing, filters: [['first', false, null]] });
    await send(hiddenActions.removeFilter, {});
    expect(await hidden()).toEqual(nothing);
  });
});
