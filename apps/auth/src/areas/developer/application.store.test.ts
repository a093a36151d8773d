import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createMyApplications } from '@linnet/applications/my-applications';
import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage, shownAt, tokenOf } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let application: ShownApplication;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `developer_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, ada);
  application = await createOnPage(browser, { redirect_uris: 'https://a.example/cb' });
});

const openSettings = async () => await browser.open(`${application.path}/settings`);

async function save(values: FormValues): Promise<Page> {
  const page = await openSettings();
  return await browser.submit(page, page.formWith('action', 'save'), values);
}

const openCredentials = async () => await browser.open(`${application.path}/credentials`);

async function press(testId: string, values?: FormValues): Promise<Page> {
  const page =
    testId === 'delete-application' ? await browser.open(`${application.path}/danger`) : await openCredentials();
  return await browser.submit(page, page.formOf(testId), values);
}

async function addSecret(): Promise<string> {
  return shownAt(await press('add-secret'), 'client-secret') ?? '';
}

async function statusOf(secret: string): Promise<number> {
  return (await tokenOf(auth, application.clientId, secret)).status;
}

async function claims() {
  const { json } = await tokenOf(auth, application.clientId, application.clientSecret);
  return decodeJwt(json.access_token);
}

/** Fields with tests of their own. */
const otherFields =
  /^(?:csrf|settings|grant_types|token_endpoint_auth_signing_alg|id_token_signed_response_alg|.*_lifetime|.*_logout_.*|(?:use|reason)_.*)$/;

describe('editing', () => {
  test('shows the stored values, saves changes and reports them', async () => {
    const page = await openSettings();
    expect(page.formWith('action', 'save').fields.filter(([name]) => !otherFields.test(name))).toEqual([
      ['action', 'save'],
      ['name', 'Weather Bird'],
      ['scope', 'users'],
      ['scope', 'posts'],
      ['act_as_owner', 'yes'],
      ['redirect_uris', 'https://a.example/cb'],
    ]);
    const saved = await save({
      name: 'Storm Bird',
      redirect_uris: 'https://b.example/cb',
      scope: 'email',
      implicit: 'yes',
    });
    expect(saved).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(saved.text).toContain('Changes saved.');
    expect(saved.title).toContain('Storm Bird');
    expect(saved.formWith('action', 'save').fields.filter(([name]) => !otherFields.test(name))).toEqual([
      ['action', 'save'],
      ['name', 'Storm Bird'],
      ['scope', 'email'],
      ['act_as_owner', 'yes'],
      ['implicit', 'yes'],
      ['redirect_uris', 'https://b.example/cb'],
    ]);
  });

  test('changes of scopes, redirect URIs and acting as the owner take effect at once', async () => {
    expect(await claims()).toMatchObject({ scope: 'users posts', acct: ada.id });
    const authorize = (redirectUri: string) => {
      const query = {
        client_id: application.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'posts',
      };
      return browser.open(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
    };
    expect((await authorize('https://a.example/cb')).status).toBe(200);
    await save({ scope: 'posts', redirect_uris: 'https://b.example/cb', act_as_owner: [] });
    expect(await claims()).toMatchObject({ scope: 'posts' });
    expect(await claims()).not.toHaveProperty('acct');
    expect((await authorize('https://a.example/cb')).status).toBe(400);
    expect((await authorize('https://b.example/cb')).status).toBe(200);
  });

  test('enabling acts-as-owner again creates a new grant', async () => {
    const { gid } = await claims();
    await save({ act_as_owner: [] });
    await save({ act_as_owner: 'yes' });
    const { acct, gid: another } = await claims();
    expect(acct).toBe(ada.id);
    expect(another).not.toBe(gid);
  });

  test('AC6: the type cannot change, and public applications never act as their owner', async () => {
    await save({ type: 'public', client_id: 'app_of_somebody_else', owner_id: '1', verified: 'yes' });
    expect(await claims()).toMatchObject({ sub: application.clientId, acct: ada.id });
    application = await createOnPage(browser, { type: 'public' });
    await save({ act_as_owner: 'yes', type: 'confidential' });
    const { clientId } = application;
    expect(await auth.db.prisma.grant.count({ where: { clientId } })).toBe(0);
    expect((await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId } })).type).toBe('public');
  });

  test('shows each error beside its field, keeps what was typed and changes nothing', async () => {
    const rejected = await save({ name: 'Storm Bird', redirect_uris: 'http://a.example/cb', scope: [] });
    expect(rejected.status).toBe(422);
    expect(rejected.html).toContain('aria-invalid="true"');
    expect(rejected.text).toContain('Use https; http is only allowed for');
    expect(rejected.formWith('action', 'save').fields).toContainEqual(['name', 'Storm Bird']);
    expect(rejected.title).toContain('Weather Bird');
    expect((await openSettings()).formWith('action', 'save').fields).toContainEqual([
      'redirect_uris',
      'https://a.example/cb',
    ]);
  });

  test('rejects an unknown action', async () => {
    const page = await openSettings();
    const form = page.formWith('action', 'save');
    for (const action of ['', 'constructor', 'drop']) {
      expect((await browser.submit(page, form, { action, name: 'x' })).status).toBe(400);
    }
    expect((await browser.open(application.path)).title).toContain('Weather Bird');
  });
});

test('renames a secret, resets its name, and shows errors beside the field', async () => {
  const { id } = await auth.db.prisma.applicationSecret.findFirstOrThrow({
    where: { clientId: application.clientId },
  });
  const field = `secret_name_${String(id)}`;
  const rejected = await press('rename-secret', { [field]: 'x'.repeat(61) });
  expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('must be 60 characters or fewer')]);
  const form = rejected.formOf('rename-secret');
  expect(form.fields).toContainEqual([field, 'x'.repeat(61)]);
  expect(form.html).toContain('aria-invalid="true"');
  expect(rejected.html).toContain(`href="#field-${field}"`);
  expect((await press('rename-secret', { [field]: 'a\u202Eb' })).status).toBe(422);
  const done = await press('rename-secret', { [field]: ' <b>Server</b> ' });
  expect(done.text).toContain('Secret renamed.');
  expect(done.html).toContain('&lt;b>Server&lt;/b>');
  expect(await statusOf(application.clientSecret)).toBe(200);
  const unnamed = await press('rename-secret', { [field]: ' ' });
  expect(unnamed.text).toContain('Secret from ');
  // Setting the same name again changes nothing.
  await press('rename-secret', { [field]: '' });
  const { text } = await browser.open(`${application.path}/history`);
  expect(text.match(/Secret renamed/g)).toHaveLength(2);
  await browser.submit(done, done.formOf('retire-secret'));
  const late = await browser.submit(done, done.formOf('rename-secret'), { [field]: 'Late' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('This secret has expired')]);
  for (const secret of ['', '0', 'x', '9'.repeat(17)]) {
    expect((await browser.submit(done, done.formOf('rename-secret'), { secret })).status).toBe(409);
  }
});

test('CA6: retiring is confirmed, with a warning for the last one, and takes effect at once', async () => {
  const { last: warning, nowLast, retireText } = catalogues.en.developer.secrets;
  const second = await addSecret();
  const before = await openCredentials();
  const forms = before.html.split('<details').filter((fold) => fold.includes('data-testid="retire-secret"'));
  expect(forms).toHaveLength(2);
  for (const fold of forms) expect(fold.startsWith('>') && fold.includes(retireText)).toBe(true);
  expect(before.text).not.toContain(warning);
  await press('retire-secret');
  // A page that was loaded before the other secret ended has no warning, so its form is refused.
  const [, secretId = ''] = [...before.html.matchAll(/name="secret" value="(\d+)"/g)].map(([, id]) => id).toReversed();
  const refused = await browser.submit(before, before.formOf('retire-secret'), { secret: secretId });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(nowLast)]);
  expect(refused.text).toContain(warning);
  expect(refused.html).toMatch(/<details open[^>]*><summary>Retire</);
  expect(await statusOf(second)).toBe(200);
  const retired = await browser.submit(refused, refused.formOf('retire-secret'));
  expect(retired.text).toContain('Secret retired.');
  expect(await statusOf(second)).toBe(401);
  const { text } = await browser.open(`${application.path}/history`);
  expect(text.match(/Secret retired/g)).toHaveLength(2);
});

describe('secrets', () => {
  test('CA3: a second secret is shown once and not stored', async () => {
    const page = await press('add-secret');
    const secret = shownAt(page, 'client-secret') ?? '';
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await browser.open(application.path)).html).not.toContain(secret);
    expect(await dumpDatabase(auth.db)).not.toContain(secret);
    expect(auth.log.join('')).not.toContain(secret);
  });

  test('CA6: both secrets work until the old one is retired, which takes effect at once', async () => {
    const second = await addSecret();
    expect(await Promise.all([application.clientSecret, second].map(statusOf))).toEqual([200, 200]);
    const retired = await press('retire-secret');
    expect(retired.text).toContain('Secret retired.');
    expect(await Promise.all([application.clientSecret, second].map(statusOf))).toEqual([401, 200]);
  });

  test('CA6: a secret added by another process works at once', async () => {
    expect(await statusOf(application.clientSecret)).toBe(200);
    const elsewhere = createMyApplications(auth.db, async () => undefined);
    const mine = { ownerId: ada.id, clientId: application.clientId };
    const added = await elsewhere.addSecret({ ...mine, submissionId: 'x' });
    expect(await statusOf(added.kind === 'added' ? added.clientSecret : '')).toBe(200);
    expect(await Promise.all(['wrong', application.clientSecret].map(statusOf))).toEqual([401, 200]);
  });

  test('CA6: rotating a secret under load fails no request', async () => {
    let secret = application.clientSecret;
    const load = new AbortController();
    const statuses: number[] = [];
    const ask = async () => {
      while (!load.signal.aborted) statuses.push(await statusOf(secret));
    };
    const clients = Array.from({ length: 8 }, ask);
    for (let change = 0; change < 5; change += 1) {
      secret = await addSecret();
      // Requests in progress with the old secret may finish.
      const seen = statuses.length;
      while (statuses.length < seen + 2 * clients.length) await new Promise((resolve) => setImmediate(resolve));
      await press('retire-secret');
    }
    load.abort();
    await Promise.all(clients);
    expect(statuses.length).toBeGreaterThan(50);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('rejects a sixth secret, and the form disappears', async () => {
    const before = await browser.open(application.path);
    for (let number = 2; number <= 5; number += 1) await addSecret();
    for (const page of [await browser.open(application.path), await openCredentials()]) {
      expect(() => page.formOf('add-secret')).toThrow('no form');
    }
    const rejected = await browser.submit(before, before.formOf('add-secret'), { mark: 'another' });
    expect(rejected.status).toBe(409);
    expect(rejected.text).toContain('An application can have up to 5 secrets.');
    expect(shownAt(rejected, 'client-secret')).toBeUndefined();
  });

  test('reloading neither adds a secret nor shows one again', async () => {
    const page = await browser.open(application.path);
    const send = () => browser.submit(page, page.formOf('add-secret'));
    const secret = shownAt(await send(), 'client-secret') ?? '';
    const again = await send();
    expect(again).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(again.text).toContain('the secret exists');
    expect(again.html).not.toContain(secret);
    expect(await auth.db.prisma.applicationSecret.count({ where: { clientId: application.clientId } })).toBe(2);
  });

  test('a secret has a name and an expiry; errors are shown beside the field, and nothing is added', async () => {
    const typed = { secret_name: 'x'.repeat(61), secret_lifetime: 'date', secret_last_day: '2020-01-01' };
    const rejected = await press('add-secret', typed);
    expect(rejected.status).toBe(422);
    expect(rejected.text).toContain('This date is in the past.');
    expect(rejected.formOf('add-secret').fields).toEqual(expect.arrayContaining(Object.entries(typed)));
    expect(rejected.formOf('add-secret').html.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(await auth.db.prisma.applicationSecret.count({ where: { clientId: application.clientId } })).toBe(1);
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await press('add-secret', { secret_name: '<b>Server</b>', secret_lifetime: 'date', secret_last_day: soon });
    for (const { text } of [await browser.open(application.path), await openCredentials()]) {
      expect(text).toMatch(/The secret “ <b>Server<\/b> ” expires on .*, 11:59 PM UTC\. Add another/);
    }
  });

  test('all secrets can be retired and a new one added', async () => {
    await press('retire-secret');
    for (const page of [await browser.open(application.path), await openCredentials()]) {
      expect(page.text).toContain('No active secret.');
    }
    expect(await statusOf(application.clientSecret)).toBe(401);
    expect(await statusOf(await addSecret())).toBe(200);
  });

  test('public and native applications have no secrets section', async () => {
    application = await createOnPage(browser, { type: 'native' });
    const page = await browser.open(application.path);
    expect(() => page.formOf('add-secret')).toThrow('no form');
    expect((await openCredentials()).html).not.toContain('add-secret');
    const forged = await browser.submit(page, page.formOf('delete-application'), { action: 'add-secret' });
    expect(forged.status).toBe(404);
    expect(await auth.db.prisma.applicationSecret.count({ where: { clientId: application.clientId } })).toBe(0);
  });
});

describe('UI13: after ten minutes, the owner confirms their identity', () => {
  beforeEach(async () => {
    const ago = Math.floor(Date.now() / 1000) - 601;
    await auth.db.prisma.$executeRaw`
      UPDATE session SET payload = jsonb_set(payload, '{loginTs}', to_jsonb(${ago}::bigint)) WHERE account_id = ${ada.id}`;
  });

  const notices = async () => {
    const where = { accountId: ada.id, kind: 'application_notice' } as const;
    return (await auth.db.prisma.mail.findMany({ where })).map(({ detail }) => detail);
  };
  const confirm = (confirmPage: Page) =>
    browser.submit(confirmPage, confirmPage.formOf('confirm-identity'), { password: ada.password });

  test('before adding a secret', async () => {
    const confirmPage = await press('add-secret');
    expect([confirmPage.status, confirmPage.title]).toEqual([403, 'Confirm your identity · Linnet']);
    expect(await auth.db.prisma.applicationSecret.count({ where: { clientId: application.clientId } })).toBe(1);
    expect(await statusOf(shownAt(await confirm(confirmPage), 'client-secret') ?? '')).toBe(200);
  });

  test.each(['retire-secret', 'delete-application'])('before %s', async (testId) => {
    const confirmPage = await press(testId, { confirm: 'Weather Bird' });
    expect(confirmPage.status).toBe(403);
    expect(await statusOf(application.clientSecret)).toBe(200);
    await confirm(confirmPage);
    expect(await statusOf(application.clientSecret)).toBe(401);
  });

  test('before adding a redirect URI, and the form is kept', async () => {
    const confirmPage = await save({ redirect_uris: 'https://b.example/cb', name: 'Storm Bird' });
    expect(confirmPage.status).toBe(403);
    expect((await browser.open(application.path)).title).toContain('Weather Bird');
    const saved = await confirm(confirmPage);
    expect(saved.text).toContain('Changes saved.');
    expect(saved.formWith('action', 'save').fields).toEqual(
      expect.arrayContaining([
        ['name', 'Storm Bird'],
        ['redirect_uris', 'https://b.example/cb'],
      ]),
    );
  });

  test.each([
    ['another scope', { scope: ['users', 'posts', 'email'] }],
    ['response_type=token', { implicit: 'yes' }],
    ['acting as the owner', { act_as_owner: 'yes' }],
  ])('before it allows %s, which is reported by mail', async (_name, values) => {
    await auth.db.prisma.grant.updateMany({
      where: { clientId: application.clientId },
      data: { revokedAt: new Date() },
    });
    await auth.db.prisma.mail.deleteMany({ where: { accountId: ada.id } });
    const stored = async () =>
      await auth.db.prisma.application.findUnique({ where: { clientId: application.clientId } });
    const before = await stored();
    const asked = await save({ act_as_owner: [], ...values });
    expect([asked.status, asked.title]).toEqual([403, 'Confirm your identity · Linnet']);
    expect([await stored(), await notices()]).toEqual([before, []]);
    expect((await confirm(asked)).text).toContain('Changes saved.');
    expect(await notices()).toEqual([expect.objectContaining({ name: 'Weather Bird', change: 'changed' })]);
  });

  test('before creating an application, which is reported by mail', async () => {
    await auth.db.prisma.mail.deleteMany({ where: { accountId: ada.id } });
    const page = await browser.open('/developer/applications/new');
    const asked = await browser.submit(page, page.formWith('redirect_uris'), {
      name: 'Night Bird',
      act_as_owner: 'yes',
    });
    expect([asked.status, asked.title]).toEqual([403, 'Confirm your identity · Linnet']);
    expect(await auth.db.prisma.application.count({ where: { ownerId: ada.id } })).toBe(1);
    expect(shownAt(await confirm(asked), 'client-secret')).toBeDefined();
    expect(await notices()).toEqual([
      {
        name: 'Night Bird',
        change: 'created',
        gained: ['act-as-owner', 'scopes'],
        scopes: ['users', 'posts'],
        settings: [],
      },
    ]);
  });

  test('not before other changes', async () => {
    const saved = await save({ name: 'Storm Bird', redirect_uris: [] });
    expect(saved.text).toContain('Changes saved.');
  });
});

test('operations 10: the overview has these forms too, and what they change is shown where the others are', async () => {
  const overview = await browser.open(application.path);
  const added = await browser.submit(overview, overview.formOf('add-secret'));
  const second = shownAt(added, 'client-secret') ?? '';
  const rejected = await browser.submit(overview, overview.formOf('delete-application'), { confirm: 'x' });
  expect(rejected.status).toBe(422);
  expect(rejected.formOf('pause-application').html).toBeDefined();
  const retired = await browser.submit(overview, overview.formOf('retire-secret'), { last: 'yes' });
  expect([retired.url.pathname, retired.text.includes('Secret retired.')]).toEqual([
    `${application.path}/credentials`,
    true,
  ]);
  expect(await Promise.all([application.clientSecret, second].map(statusOf))).toEqual([401, 200]);
  const deleted = await browser.submit(rejected, rejected.formOf('delete-application'), { confirm: 'Weather Bird' });
  expect(deleted.text).toContain('Application deleted.');
});

describe('deleting', () => {
  test.each(['', 'weather bird', 'Weather', 'Weather Bird!'])('rejects %j as the name', async (confirm) => {
    const rejected = await press('delete-application', { confirm });
    expect(rejected.status).toBe(422);
    expect(rejected.text).toContain('This does not match the application’s name.');
    expect(rejected.formOf('delete-application').html).toContain('aria-invalid="true"');
    expect(await statusOf(application.clientSecret)).toBe(200);
  });

  test('deletes everything once the displayed name is entered', async () => {
    application = await createOnPage(browser, { name: 'Bu\u0308cher  und\u00A0mehr' });
    expect(await statusOf(application.clientSecret)).toBe(200);
    const deleted = await press('delete-application', { confirm: ' Bücher und mehr ' });
    expect(deleted.url.pathname).toBe('/developer');
    expect(deleted.text).toContain('Application deleted.');
    expect(deleted.text).not.toContain('Bücher');
    expect(await statusOf(application.clientSecret)).toBe(401);
    expect((await browser.open(application.path)).status).toBe(404);
    const { clientId } = application;
    expect(await auth.db.prisma.grant.count({ where: { clientId } })).toBe(0);
  });

  test('the second deletion gets 404', async () => {
    const page = await browser.open(application.path);
    const send = () => browser.submit(page, page.formOf('delete-application'), { confirm: 'Weather Bird' });
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(404);
  });

  test('resubmitting the form that created it does not restore it', async () => {
    const form = await browser.open('/developer/applications/new');
    const send = () => browser.submit(form, form.formWith('redirect_uris'), { name: 'Phoenix' });
    const clientId = shownAt(await send(), 'client-id') ?? '';
    application = { ...application, path: `/developer/applications/${clientId}` };
    await press('delete-application', { confirm: 'Phoenix' });
    expect((await send()).status).toBe(404);
    expect((await browser.open('/developer')).text).not.toContain('Phoenix');
  });
});
