import { grantOperator } from '@linnet/accounts/operators/role-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createForm, unkeptFields } from '../../pages/form/form.ts';
import type { FormPair } from '../../pages/form/form.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { listPages } from '@linnet/test/auth/listed-pages';
import { confirm, registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { returnFaults, typeInto } from '@linnet/test/auth/page-forms';
import type { FormValues, PageForm } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createKeptForms } from './kept-form.ts';

const { ended, check, lost } = catalogues.en.form.returned;

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let operator: PersonWithApp;
let ada: Person;
let bob: Person;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  operator = await registerOperator(auth, 'typing_operator');
  ada = await registerPerson(auth.db, 'typing_ada');
  bob = await registerPerson(auth.db, 'typing_bob');
});
afterAll(() => cleanup.disposeAsync());

/** The browser after its session has ended: it has the cookie of the forms alone. */
function afterEnd({ cookies }: Browser): Browser {
  const left = cookies.copy();
  for (const name of left.names) if (!name.includes('csrf')) left.remove(name);
  return createBrowser(auth, { cookies: left });
}

const countKept = async () => await auth.db.prisma.oAuthArtifact.count({ where: { kind: 'KeptForm' } });

/** As fields are sent: all values of a name. */
function toValues(form: PageForm, pairs: readonly FormPair[]): FormValues {
  const names = new Set([...form.fields, ...pairs].map(([name]) => name).filter((name) => !unkeptFields.has(name)));
  return Object.fromEntries(
    [...names].map((one) => [one, pairs.filter(([name]) => name === one).map(([, value]) => value)]),
  );
}

describe('every form', () => {
  let parameters: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const { browser } = operator;
    const { clientId } = await createOnPage(browser, { redirect_uris: 'https://app.example.com/cb' });
    const api = await browser.open('/developer/apis/new');
    const created = await browser.submit(api, api.formWith('identifier'), {
      ...{ name: 'Notes', identifier: 'https://notes.example.com/mcp', scopes: 'notes:read Read your notes' },
    });
    const post = await insertPost(auth.db, { authorId: bob.id, text: 'Hello', entities: findEntities('Hello') });
    const postId = typeof post === 'object' ? String(post.id) : '';
    const report = await browser.open(`/report/post/${postId}`);
    await browser.submit(report, report.formOf('send-report'), { reason: 'spam' });
    const [, caseId = ''] = /"\/admin\/reports\/(\d+)"/.exec((await browser.open('/admin/reports')).html) ?? [];
    parameters = {
      ...{ ':clientId': clientId, ':accountId': String(bob.id), ':caseId': caseId },
      ':apiId': created.url.pathname.split('/').at(-1) ?? '',
      ...{ ':username': bob.username, ':type': 'post', ':id': postId },
    };
  });

  function addressOf(path: string): string {
    return Object.entries(parameters).reduce((address, [name, value]) => address.replace(name, value), path);
  }

  /** Pages whose forms need no session. */
  const strangers = /^\/(login|register|logout|interaction|verify-email|password|oauth\/logout)/;
  const paths = listPages().flatMap((pages) => pages.paths);
  const seen = new Set<string>();

  test.each(paths.filter((path) => !strangers.test(path)))('%s', async (path) => {
    const { browser } = operator;
    const page = await browser.open(addressOf(path));
    for (const [index, form] of page.forms.entries()) {
      const pairs = typeInto(form);
      if (pairs === undefined) continue;
      const { status, headers } = await afterEnd(browser).submitOnly(page, form, toValues(form, pairs));
      const signInPage = new URL(headers.location ?? '', page.url);
      expect([status, signInPage.pathname]).toEqual([303, '/login']);
      const shown = await browser.open(signInPage.searchParams.get('return_to') ?? '', page);
      expect(returnFaults(shown.html, index, pairs)).toEqual([]);
      expect(shown.text).toContain(`${ended} ${check}`);
      seen.add(`${path} ${pairs.find(([name]) => name === 'action')?.[1] ?? ''}`);
    }
  });

  test('was found on the pages', () => {
    expect(seen.size).toBeGreaterThan(25);
  });
});

const words = { displayName: 'Countess', description: 'Many hours\r\nof <typing>' };

async function type(): Promise<{ readonly person: Person; readonly browser: Browser; readonly page: Page }> {
  people += 1;
  const person = await registerPerson(auth.db, `typing_${String(people)}`);
  const browser = createBrowser(auth);
  await signIn(browser, person);
  return { person, browser, page: await browser.open('/account/profile') };
}

const descriptionOn = (page: Page) =>
  page.formOf('save-profile').fields.find(([name]) => name === 'description')?.[1] ?? 'no field';

async function sendLate(values: FormValues = words) {
  const { person, browser, page } = await type();
  const late = afterEnd(browser);
  return { person, late, page, signInPage: await late.submit(page, page.formOf('save-profile'), values) };
}

describe('the profile', () => {
  test('is not saved before the person sends it again, and then forgotten', async () => {
    const { person, late, signInPage } = await sendLate();
    expect(signInPage.text).toContain(catalogues.en.signIn.login.purposes['session-ended']);
    const shown = await signIn(late, person, signInPage);
    expect([shown.url.pathname, descriptionOn(shown)]).toEqual(['/account/profile', 'Many hours\r\nof <typing>']);
    expect(shown.text).toContain(`${ended} ${check}`);
    const before = await auth.db.prisma.account.findUniqueOrThrow({ where: { id: person.id } });
    expect(before).toMatchObject({ displayName: 'Ada Byron', description: '' });
    // Opening it again loses nothing.
    expect(descriptionOn(await late.open(shown.url.href, shown))).toBe('Many hours\r\nof <typing>');
    const saved = await late.submit(shown, shown.formOf('save-profile'));
    expect(saved.text).toContain(catalogues.en.account.profile.done.saved);
    const after = await auth.db.prisma.account.findUniqueOrThrow({ where: { id: person.id } });
    expect(after).toMatchObject({ displayName: 'Countess', description: 'Many hours\nof <typing>' });
    expect((await late.open(shown.url.href, shown)).text).toContain(lost);
  });

  test('is never shown to another person, and waits for the one who typed it', async () => {
    const { person, late, signInPage } = await sendLate();
    const shown = await signIn(late, bob, signInPage);
    expect([shown.url.pathname, descriptionOn(shown)]).toEqual(['/account/profile', '']);
    expect(shown.text).toContain(`${ended} ${lost}`);
    const back = afterEnd(late);
    await signIn(back, person);
    expect(descriptionOn(await back.open(shown.url.href, shown))).toBe('Many hours\r\nof <typing>');
  });

  test('is never shown in another browser', async () => {
    const { person, signInPage } = await sendLate();
    const other = createBrowser(auth);
    const shown = await signIn(other, person, await other.open(signInPage.url.href));
    expect([shown.url.pathname, descriptionOn(shown)]).toEqual(['/account/profile', '']);
  });

  test('is not shown after a link on another website', async () => {
    const { person, late, signInPage } = await sendLate();
    const { url } = await signIn(late, person, signInPage);
    const cookie = late.cookies.headerFor('/') ?? '';
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    const { status, text } = await auth.send({ path: `${url.pathname}${url.search}`, headers });
    expect([status, text.includes(ended)]).toEqual([200, false]);
  });

  test('cannot be read in the database', async () => {
    await sendLate({ ...words, description: 'only for me' });
    expect(await dumpDatabase(auth.db)).not.toContain('only for me');
  });

  test('is kept for a quarter of an hour', async () => {
    const { person, late, signInPage } = await sendLate();
    await auth.db.prisma.$executeRaw`
      UPDATE oauth_artifact SET payload = jsonb_set(payload, '{exp}', '1') WHERE kind = 'KeptForm'`;
    expect((await signIn(late, person, signInPage)).text).toContain(`${ended} ${lost}`);
  });

  test('is not kept if it is longer than any form may be, which the page says', async () => {
    const before = await countKept();
    const { person, late, signInPage } = await sendLate({ ...words, description: 'a'.repeat(65_536) });
    expect((await signIn(late, person, signInPage)).text).toContain(`${ended} ${lost}`);
    expect(await countKept()).toBe(before);
  });
});

describe('a profile that was not sent from its page', () => {
  const csrfOf = (page: Page) => page.formOf('save-profile').fields.find(([name]) => name === 'csrf')?.[1] ?? '';

  /** What another site, and another person, could send. */
  const forgeries: Readonly<Record<string, (csrf: string) => { headers?: Record<string, string>; csrf: string }>> = {
    'a foreign Origin': (csrf) => ({ headers: { origin: 'https://evil.example' }, csrf }),
    'Sec-Fetch-Site: cross-site': (csrf) => ({ headers: { 'sec-fetch-site': 'cross-site' }, csrf }),
    'no token': () => ({ csrf: '' }),
    'a token that is for nobody': (csrf) => ({ csrf: csrf.split('.')[0] ?? '' }),
    'a token for somebody else': (csrf) => ({ csrf: csrf.replace(/\.\d+\./, `.${String(bob.id)}.`) }),
    'the token of another browser': () => ({ csrf: foreign }),
  };
  let foreign = '';
  test.each(Object.entries(forgeries))('UI3: is not kept with %s', async (_name, forge) => {
    foreign = csrfOf((await type()).page);
    const { browser, page } = await type();
    const { headers = {}, csrf } = forge(csrfOf(page));
    const before = await countKept();
    const { status } = await auth.send({
      ...{ method: 'POST', path: '/account/profile' },
      headers: {
        cookie: afterEnd(browser).cookies.headerFor('/account/profile') ?? '',
        ...{ origin: auth.baseUrl, 'sec-fetch-site': 'same-origin', ...headers },
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf, action: 'save', description: 'planted' }).toString(),
    });
    expect([status, await countKept()]).toEqual([303, before]);
  });

  test('is not saved for another person who has signed in since', async () => {
    const { browser, page } = await type();
    const late = afterEnd(browser);
    await signIn(late, bob);
    const refused = await late.submit(page, page.formOf('save-profile'), words);
    expect([refused.status, refused.title]).toEqual([403, 'This page has expired · Linnet']);
    expect(await auth.db.prisma.account.findUniqueOrThrow({ where: { id: bob.id } })).toMatchObject({
      description: '',
    });
  });
});

test('keeps no password, code or other secret, and nothing that is new on each page', async () => {
  const kept = createKeptForms(auth.db, { findBrowserId: () => 'a browser of this test' });
  const ctx = { path: '/account/password' } as Parameters<typeof kept.keep>[0];
  await kept.keep(
    ctx,
    ada.id,
    createForm([...[...unkeptFields].map((name) => [name, 'secret'] as const), ['name', 'x']]),
  );
  expect((await kept.find(ctx, ada.id))?.pairs).toEqual([['name', 'x']]);
  expect(await kept.find(ctx, bob.id)).toBeUndefined();
  expect(await kept.find({ ...ctx, path: '/account' }, ada.id)).toBeUndefined();
});

describe('UI14: a form for operators', () => {
  test('leads those who are one to the sign-in page, and nobody else', async () => {
    const late = afterEnd(operator.browser);
    const page = await operator.browser.open('/admin/blocks');
    const sent = { value: 'spam.example', note: 'typed' };
    expect((await late.submit(page, page.formOf('add-block'), sent)).url.pathname).toBe('/login');
    const former = await registerOperator(auth, 'typing_former');
    const formerPage = await former.browser.open('/admin/blocks');
    await auth.db.prisma.account.update({ where: { id: former.id }, data: { operatorSince: null } });
    const refused = await afterEnd(former.browser).submit(formerPage, formerPage.formOf('add-block'), sent);
    expect([refused.status, refused.url.pathname]).toEqual([404, '/admin/blocks']);
    await grantOperator(auth.db, 'typing_former');
  });
});

describe('a form that waits until the identity is confirmed', () => {
  const age = async (id: number, seconds: number) =>
    await auth.db.prisma.$executeRaw`
      UPDATE session SET payload = jsonb_set(payload, '{loginTs}',
        to_jsonb(extract(epoch FROM now())::bigint - ${seconds}::bigint)) WHERE account_id = ${id}`;

  async function askToConfirm(redirectUris = 'https://app.example.com/cb') {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/developer/applications/new');
    await age(ada.id, 3600);
    const typed = { name: 'Weather Bird', redirect_uris: redirectUris };
    return { browser, asked: await browser.submit(page, page.formWith('redirect_uris'), typed) };
  }

  const proof = () => ({ password: ada.password });
  const nameOn = (page: Page) => page.formWith('redirect_uris').fields.find(([name]) => name === 'name')?.[1];

  test('is shown again if the session ends before that', async () => {
    const { browser, asked } = await askToConfirm();
    const late = afterEnd(browser);
    const signInPage = await late.submit(asked, asked.formOf('confirm-identity'), proof());
    const shown = await signIn(late, ada, signInPage);
    expect([nameOn(shown), shown.text.includes(`${ended} ${check}`)]).toEqual(['Weather Bird', true]);
  });

  test('is shown again if it is too long to wait in the page', async () => {
    const { browser, asked } = await askToConfirm('a'.repeat(48_000));
    const shown = await browser.submit(asked, asked.formOf('confirm-identity'), proof());
    expect([nameOn(shown), shown.text.includes(check), shown.text.includes(ended)]).toEqual([
      'Weather Bird',
      true,
      false,
    ]);
  });

  test('is shown again, and nothing is created, if it waited for too long', async () => {
    const { browser, asked } = await askToConfirm();
    const now = Date.now;
    Date.now = () => now() + 1_000_000;
    const shown = await browser.submit(asked, asked.formOf('confirm-identity'), proof());
    Date.now = now;
    expect([nameOn(shown), shown.text.includes(check)]).toEqual(['Weather Bird', true]);
    expect(await auth.db.prisma.application.count({ where: { ownerId: ada.id } })).toBe(0);
  });

  test('is done after the confirmation', async () => {
    const { browser, asked } = await askToConfirm();
    const done = await browser.submit(asked, asked.formOf('confirm-identity'), proof());
    expect(done.html).toContain('data-testid="client-id"');
  });

  test('of an operator is shown again after both sign-ins', async () => {
    const { browser, id } = operator;
    const page = await browser.open('/admin/blocks');
    const late = afterEnd(browser);
    const { headers } = await late.submitOnly(page, page.formOf('add-block'), { note: 'typed by hand' });
    const back = new URL(headers.location ?? '', page.url).searchParams.get('return_to') ?? '';
    await age(id, 7200);
    const asked = await browser.open(back, page);
    expect(asked.url.pathname).toBe('/admin/confirm');
    await auth.db.prisma.totp.update({ where: { accountId: id }, data: { lastStep: 1 } });
    const shown = await confirm(operator, asked);
    expect(shown.formOf('add-block').fields).toContainEqual(['note', 'typed by hand']);
  });
});
