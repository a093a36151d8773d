import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { createAccounts } from '@linnet/accounts/accounts';
import { saveBlocks } from '@linnet/accounts/registrations/block-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { jpegImage, pngImage } from '@linnet/test/media/images';
import { addFollow } from '@linnet/social/follow/follow-store';
import { findPreferences } from '@linnet/social/notification/notification-setting-store';
import { readArchive } from '@linnet/test/export-archive';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { profile, username, followers, passwordCheck, deletion } = catalogues.en.account;
const { names, imageProblems } = catalogues.en;

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1 }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  ada = await newPerson();
  browser = createBrowser(auth, { headers: { 'x-forwarded-for': `203.0.113.${String(people)}` } });
  await signIn(browser, ada);
});

async function newPerson(): Promise<Person> {
  people += 1;
  return await registerPerson(auth.db, `somebody_${String(people)}`);
}

const accountOf = async (id: number) => await auth.db.prisma.account.findUniqueOrThrow({ where: { id } });

function wrongFields({ html }: Page): readonly (string | undefined)[] {
  const wrong = [...findElements(html, 'input'), ...findElements(html, 'textarea')].filter(
    ({ attributes }) => attributes['aria-invalid'] === 'true',
  );
  return wrong.map(({ attributes }) => attributes['name']);
}

async function submit(path: string, testId: string, values: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await browser.open(path);
  return await browser.submit(page, page.formOf(testId), values);
}

describe('/account/profile', () => {
  const values = { displayName: 'Countess', first_name: 'Ada', last_name: 'King', country: 'UK', language: 'DE-at' };

  test('saves valid values by the rules of the API', async () => {
    const description = 'One line\r\nand ';
    const saved = await submit('/account/profile', 'save-profile', {
      ...values,
      description: description + 'é'.repeat(400 - 13),
    });
    expect(saved).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(saved.text).toContain(profile.done.saved);
    expect(await accountOf(ada.id)).toMatchObject({
      displayName: 'Countess',
      lastName: 'King',
      country: 'UK',
      language: 'de-AT',
      description: `One line\nand ${'é'.repeat(400 - 13)}`,
    });
  });

  test('shows each error beside its field, keeps what was typed and changes nothing', async () => {
    const before = await accountOf(ada.id);
    const typed = {
      displayName: 'x'.repeat(57),
      first_name: ' ',
      last_name: 'King\u202E',
      description: '<b>'.repeat(134),
      country: 'y'.repeat(101),
      language: 'not a tag!',
    };
    const rejected = await submit('/account/profile', 'save-profile', typed);
    expect(rejected.status).toBe(422);
    expect(new Set(wrongFields(rejected))).toEqual(new Set(Object.keys(typed)));
    const shown = Object.fromEntries(rejected.formOf('save-profile').fields);
    expect(shown).toMatchObject(typed);
    expect(await accountOf(ada.id)).toEqual(before);
  });

  test('refuses a name with a word of a block, at the field that has it', async () => {
    await saveBlocks(auth.db, [{ kind: 'word', value: 'casino', act: 'refuse', note: '', expiresAt: null }]);
    for (const field of ['displayName', 'first_name']) {
      const refused = await submit('/account/profile', 'save-profile', { ...values, [field]: 'My Cas1no' });
      expect([refused.status, wrongFields(refused)]).toEqual([422, [field]]);
      expect(refused.text).toContain(names.errors.blocked);
    }
  });

  test('takes marks of direction in a description, and says why others are refused', async () => {
    const description = '\u200Fשלום\u200E \u2067می\u200Cخواهم\u2069\u00AD';
    await submit('/account/profile', 'save-profile', { ...values, description });
    expect((await accountOf(ada.id)).description).toBe(description);
    const refused = await submit('/account/profile', 'save-profile', {
      ...values,
      description: 'a\u0001',
      country: '\u2800',
    });
    expect([refused.status, wrongFields(refused)]).toEqual([422, ['country', 'description']]);
    expect(refused.text.split(names.textUnprintable).length - 1).toBeGreaterThanOrEqual(2);
  });

  async function sendPhoto(content: Buffer | undefined, token?: string): Promise<Page> {
    const page = await browser.open('/account/profile');
    const form = page.formOf('change-photo');
    const csrf = token ?? form.fields.find(([name]) => name === 'csrf')?.[1] ?? '';
    return await browser.submitFile(page, { fields: { csrf }, name: 'photo', content: content ?? Buffer.alloc(0) });
  }

  test('accepts a PNG and a JPEG as the photo, and removes it', async () => {
    for (const image of [await pngImage(), await jpegImage()]) {
      const changed = await sendPhoto(image);
      expect(changed).toMatchObject({ status: 200, hops: [{ status: 303 }] });
      expect(changed.text).toContain(profile.done['photo-changed']);
      const { avatar } = await accountOf(ada.id);
      expect(changed.html).toContain(`src="/media/thumb/${avatar ?? '?'}"`);
    }
    expect(await auth.db.prisma.media.count({ where: { ownerId: ada.id } })).toBe(2);
    const removed = await submit('/account/profile', 'remove-photo');
    expect(removed.text).toContain(profile.done['photo-removed']);
    expect(removed.html).toMatch(/src="\/media\/avatars\/[0-9a-f]{16}\.png"/);
    expect((await accountOf(ada.id)).avatar).toBeNull();
  });

  test.each([
    ['none', undefined, 422, profile.photoErrors.missing],
    ['text', Buffer.from('<svg onload=alert(1)>'), 422, imageProblems.other],
    ['larger than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, 1), 413, profile.photoErrors.tooLong],
    ['far more than 10 MB', Buffer.alloc(12 * 1024 * 1024, 1), 413, profile.photoErrors.tooLong],
  ])('rejects a file: %s', async (_what, content, status, text) => {
    const rejected = await sendPhoto(content);
    expect(rejected.status).toBe(status);
    expect(wrongFields(rejected)).toEqual(['photo']);
    expect(rejected.text).toContain(text);
    expect(await auth.db.prisma.media.count({ where: { ownerId: ada.id } })).toBe(0);
  });

  test('a disk that takes no file gives 507', async () => {
    const media = join(dirname(auth.mailDirectory), 'media');
    await rm(media, { recursive: true, force: true });
    await writeFile(media, 'in the way');
    expect((await sendPhoto(await pngImage())).status).toBe(507);
    await rm(media);
  });

  test('UI3: rejects a photo without the token of this browser', async () => {
    expect((await sendPhoto(await pngImage(), 'x')).status).toBe(403);
    expect((await accountOf(ada.id)).avatar).toBeNull();
  });
});

describe('/account/username', () => {
  const change = (wanted: string, action = 'change') =>
    submit('/account/username', 'change-username', { username: wanted, action });

  test('checks whether a name is available without taking it, then changes to it', async () => {
    const free = await change(' @Brand_New ', 'check');
    expect(free.status).toBe(200);
    expect(free.text).toContain('Brand_New is available.');
    expect((await accountOf(ada.id)).username).toBe(ada.username);
    const changed = await change('Brand_New');
    expect(changed.text).toContain(username.changed);
    expect((await accountOf(ada.id)).username).toBe('Brand_New');
  });

  test('rejects taken, reserved and malformed names, and keeps what was typed', async () => {
    const other = await newPerson();
    await saveBlocks(auth.db, [{ kind: 'word', value: 'pharmacy', act: 'approve', note: '', expiresAt: null }]);
    for (const [wanted, text] of [
      [other.username.toUpperCase(), username.errors.taken],
      ['support', username.errors.taken],
      ['pharmacy', catalogues.en.names.errors.blocked],
      ['abcd', username.errors.malformed],
      ['<b>bold</b>', username.errors.malformed],
    ] as const) {
      for (const action of ['check', 'change']) {
        const rejected = await change(wanted, action);
        expect(rejected.status).toBe(422);
        expect(wrongFields(rejected)).toEqual(['username']);
        expect(rejected.text).toContain(text);
        expect(rejected.formOf('change-username').fields).toContainEqual(['username', wanted]);
      }
    }
    expect((await accountOf(ada.id)).username).toBe(ada.username);
  });

  test('says when the next change is possible once ten old names are reserved', async () => {
    const accounts = createAccounts(auth.db);
    for (let round = 0; round < 10; round += 1) {
      await accounts.rename({ accountId: ada.id, username: `many_${String(people)}_${String(round)}` });
    }
    const rejected = await change('one_too_many');
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(rejected.text).toContain('You can choose a new username from');
  });
});

describe('/account/followers', () => {
  async function ask(count: number): Promise<readonly Person[]> {
    const asking = [];
    for (let each = 0; each < count; each += 1) {
      const person = await newPerson();
      await addFollow(auth.db, person.id, ada.id);
      asking.push(person);
    }
    return asking;
  }

  const waiting = async () => await auth.db.prisma.followRequest.count({ where: { followedId: ada.id } });
  const following = async () => await auth.db.prisma.follow.count({ where: { followedId: ada.id } });

  test('protects the account, decides requests one by one, and opening it accepts the rest', async () => {
    const on = await submit('/account/followers', 'protect-account');
    expect(on.text).toContain(followers.done.protected);
    expect((await accountOf(ada.id)).protected).toBe(true);
    const [first, second] = await ask(3);
    const page = await browser.open('/account/followers');
    const formOf = (testId: string, person: Person | undefined) =>
      page.forms.find(
        ({ testIds, fields }) =>
          testIds.includes(testId) &&
          fields.some(([name, value]) => name === 'follower' && value === String(person?.id)),
      ) ?? page.formOf('no such form');
    expect((await browser.submit(page, formOf('approve-request', first))).text).toContain(followers.done.approved);
    expect((await browser.submit(page, formOf('reject-request', second))).text).toContain(followers.done.rejected);
    expect([await waiting(), await following()]).toEqual([1, 1]);
    const gone = await browser.submit(page, formOf('approve-request', second));
    expect([gone.status, gone.text.includes(followers.gone)]).toEqual([422, true]);
    expect((await submit('/account/followers', 'open-account')).text).toContain(followers.done.opened);
    expect([await waiting(), await following(), (await accountOf(ada.id)).protected]).toEqual([0, 2, false]);
    expect((await accountOf(ada.id)).followersCount).toBe(2);
  });

  test.each([
    ['approve-all', 'all-approved', 22],
    ['reject-all', 'all-rejected', 0],
  ] as const)('%s answers those of other pages, too', async (action, done, expected) => {
    await createAccounts(auth.db).updateProfile({ accountId: ada.id, isProtected: true });
    await ask(22);
    const page = await browser.open('/account/followers');
    expect(page.forms.filter(({ testIds }) => testIds.includes('approve-request'))).toHaveLength(15);
    const older = await browser.open(page.link(followers.older), page);
    expect(older.forms.filter(({ testIds }) => testIds.includes('approve-request'))).toHaveLength(7);
    expect(older.link(followers.newer)).toContain('cursor=');
    const answered = await browser.submit(older, older.formOf(action), { action });
    expect(answered.text).toContain(followers.done[done]);
    expect([await waiting(), await following()]).toEqual([0, expected]);
  });

  test('ignores requests to other accounts, and malformed ids', async () => {
    const other = await newPerson();
    await createAccounts(auth.db).updateProfile({ accountId: other.id, isProtected: true });
    const asking = await newPerson();
    await addFollow(auth.db, asking.id, other.id);
    const page = await browser.open('/account/followers');
    for (const follower of [String(asking.id), '', '0', '-1', '1e3', '9'.repeat(30), "1' or 1=1"]) {
      for (const action of ['approve', 'reject']) {
        const answer = await browser.submit(page, page.formOf('protect-account'), { action, follower });
        expect([200, 422]).toContain(answer.status);
      }
    }
    expect(await auth.db.prisma.followRequest.count({ where: { followedId: other.id } })).toBe(1);
    expect((await browser.open('/account/followers?cursor=%00nonsense')).status).toBe(200);
  });
});

describe('/account/export', () => {
  test('downloads everything about the account with the password', async () => {
    const other = await newPerson();
    await addFollow(auth.db, ada.id, other.id);
    const [row] = await auth.db.prisma.$queryRaw<{ id: bigint }[]>`
      INSERT INTO post (author_id, text) SELECT ${ada.id}, 'post ' || n FROM generate_series(1, 1203) n RETURNING id`;
    expect(row).toBeDefined();
    auth.statements.length = 0;
    const file = await submit('/account/export', 'export-account', { password: ada.password });
    const sent = auth.statements.filter((sql) => sql.includes('"accountCreatedAt"')).length;
    expect(sent).toBe(3);
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="somebody_\d+-\d{4}-\d\d-\d\d\.zip"$/);
    expect(file.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/zip' });
    const { json } = readArchive(Buffer.from(file.html, 'latin1'));
    expect(json.account).toMatchObject({ version: '2.0', profile: { username: ada.username, email: ada.email } });
    expect(new Set(json.posts.map(({ text }: { readonly text: string }) => text)).size).toBe(1203);
    expect(json).toMatchObject({ following: [{ username: other.username }], followers: [] });
    expect(json).toMatchObject({ reposts: [], comments: [], likes: [], media: [] });
  });

  test.each([
    ['', passwordCheck.missing],
    ['not the password', passwordCheck.wrong],
  ])('rejects %j', async (password, text) => {
    const rejected = await submit('/account/export', 'export-account', { password });
    expect([rejected.status, wrongFields(rejected)]).toEqual([422, ['password']]);
    expect(rejected.text).toContain(text);
    expect(rejected.html).not.toContain(ada.email);
  });

  test('UI11: limits password guesses', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await submit('/account/export', 'export-account', { password: 'guess' })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await submit('/account/export', 'export-account', { password: ada.password })).status).toBe(429);
  });
});

describe('/account/delete', () => {
  const remove = (values: Readonly<Record<string, string>>) => submit('/account/delete', 'delete-account', values);

  test('deletes the account and signs out everywhere; its owner can keep it, and an operator can restore it', async () => {
    const other = createBrowser(auth);
    await signIn(other, ada);
    const done = await remove({ confirm: '1', password: ada.password });
    expect(done.text).toContain(deletion.doneTitle);
    expect((await accountOf(ada.id)).deletedAt).not.toBeNull();
    for (const one of [browser, other]) expect((await one.open('/account')).url.pathname).toBe('/login');
    expect((await signIn(createBrowser(auth), ada)).url.pathname).toBe('/login/restore');
    expect(await createAccounts(auth.db).restore(ada.username)).toBe(true);
    expect((await signIn(createBrowser(auth), ada)).url.pathname).not.toBe('/login');
  });

  test.each([
    [{}, ['confirm', 'password']],
    [{ confirm: '1', password: 'not the password' }, ['password']],
    [{ password: 'x' }, ['confirm']],
  ])('%j does not delete the account', async (values, fields) => {
    const rejected = await remove(values);
    expect([rejected.status, wrongFields(rejected)]).toEqual([422, fields]);
    expect((await accountOf(ada.id)).deletedAt).toBeNull();
  });
});

test('/account/notifications shows what the person wants, and saves a choice', async () => {
  const page = await browser.open('/account/notifications');
  expect(page.html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(10);
  const form = page.formOf('save-notifications');
  const saved = await browser.submit(page, form, { kind: ['mention', 'reply', 'x'], mail: 'proposal' });
  expect(saved.html).toContain(catalogues.en.notifications.saved);
  expect(await findPreferences(auth.db, ada.id)).toEqual({
    off: ['quote', 'like', 'repost', 'follow', 'follow_request', 'approved', 'proposal', 'draft_failed'],
    proposalMail: true,
  });
  expect(saved.html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(3);
});
