// What a moderator does, as docs/operations/moderation.md says it, and what others see of it: by API, page and mail.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, password } from '../../support/api-client.ts';
import type { CallApi, Client } from '../../support/api-client.ts';
import { mailTo } from '../../support/auth/mailbox.ts';
import { codeAt } from '../../support/authenticator-code.ts';
import { createTestDatabase } from '../../support/db/test-database.ts';
import { readArchive } from '../../support/export-archive.ts';
import { readModerationGuide } from '../../support/moderation-guide.ts';
import type { ModerationGuide } from '../../support/moderation-guide.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { operate } from '../../support/operator.ts';
import { fill, fillRegistration, newPerson, pressSubmit, signIn } from '../../support/page-steps.ts';
import type { Person } from '../../support/page-steps.ts';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';

const cleanup = new AsyncDisposableStack();
let service: Service;
let guide: ModerationGuide;
let page: Page;
/** As a member who reports. */
let api: CallApi;
/** Of the operators' program. */
let adminToken: string;
const reporter = 'ada_lovelace';

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const env = { DATABASE_URL: database.url, DATABASE_POOL: '5', RATE_LIMITS: 'off', REGISTRATION: 'invitation' };
  service = cleanup.use(await startService({ env }));
  guide = await readModerationGuide();
});
afterAll(() => cleanup.disposeAsync());

async function linnet(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await operate([...args, '--json'], service.env);
  expect([exitCode, exitCode === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>; // docs/operations/README.md: one JSON document
}

/** Runs a command of the guide. */
const follow = async (step: string, start: string, values: Readonly<Record<string, string>> = {}) =>
  await linnet(...guide.command(step, start, values));

interface Answer {
  readonly [name: string]: unknown;
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

/** Sends a call of the guide. */
async function send(step: string, target: string, input: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const [method = '', path = ''] = guide.call(step, target).split(' ');
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const isRead = method === 'GET';
  const response = await fetch(`${service.baseUrl}/admin/api/v1${path}${isRead ? `?${query.toString()}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: isRead ? null : JSON.stringify({ reason: 'Ticket 4711', ...input }),
  });
  const body = await response.text();
  expect([target, response.status, response.ok ? '' : body]).toEqual([target, 200, '']);
  return JSON.parse(body) as Answer; // an object, by the contract
}

/**
 * Follows a step on the pages, from /admin on: types what `typed` says and a reason where there is a field, and compares the number of
 * presses with the guide. Returns the text of the last page.
 */
async function walk(step: string, presses: readonly string[], typed: Readonly<Record<string, string>> = {}) {
  await page.goto('/admin');
  for (const selector of presses) {
    const fields = { ...typed, '^=reason_': 'Ticket 4711' };
    for (const [name, text] of Object.entries(fields)) {
      const field = page.locator(`main input[name${name.startsWith('^') ? name : `=${name}`}]:visible`).first();
      if (await field.isVisible()) await field.fill(text);
    }
    await page.locator(selector).first().click();
  }
  expect([step, presses.length]).toEqual([step, guide.presses(step)]);
  return await page.locator('main').innerText();
}

const tab = (name: string) => `nav.tabs a[href="/admin/${name}"]`;
const act = (name: string) => [`summary:has(+ [data-testid=act-${name}])`, `[data-testid=act-${name}] button`];

const suspendEveryone = [
  '[data-testid=search] summary',
  '[data-testid=search] button',
  '[data-testid=choose] p a',
  '[data-testid=choose] button[value=suspend]',
  '[data-testid=act-suspend] button',
];

/** Follows a step on the page of an account. */
async function walkTo(step: string, { username }: Person, ...further: readonly string[]): Promise<string> {
  const account = `[data-testid=people] li:has-text("@${username}") a`;
  return await walk(step, [tab('people'), '[data-testid=search] button', account, ...further], { q: username });
}

/** What everyone else gets: the account and its post, by API and as pages. */
async function seen({ username, post }: Member): Promise<readonly number[]> {
  const calls = [`GET /users/show?username=${username}`, `GET /post/show?id=${String(post)}`].map(
    async (target) => (await api(target)).status,
  );
  const pages = [`/@${username}`, `/p/${String(post)}`].map(
    async (path) => (await fetch(service.baseUrl + path)).status,
  );
  return await Promise.all([...calls, ...pages]);
}
const gone = [404, 404, 404, 404];
const there = [200, 200, 200, 200];

async function findMail({ email }: Person, subject: string): Promise<string> {
  const find = async () =>
    (await mailTo(join(service.dataDir, 'mail'), email)).findLast((mail) => mail.subject.includes(subject))?.text;
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}

async function getToken({ id, secret }: Client, scope: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope });
  const response = await fetch(`${service.baseUrl}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  return String(((await response.json()) as Record<string, unknown>)['access_token']);
}

interface Member extends Person {
  readonly id: number;
  readonly post: number;
}

/** Gives a person an application that acts for them, and has it write a post. */
async function publish(person: Person): Promise<Member> {
  const settings = ['--name', 'Bot', '--type', 'confidential', '--scope', 'users posts', '--act-as-owner'];
  const { client_id: id, client_secret: secret } = await linnet(
    'app',
    'create',
    '--owner',
    person.username,
    ...settings,
  );
  const call = createApiCaller(
    service.baseUrl,
    await getToken({ id: String(id), secret: String(secret) }, 'users posts'),
  );
  const { body } = await call('POST /post/create', { message: 'Buy cheap pills' });
  const { body: account } = await call(`GET /users/show?username=${person.username}`);
  return { ...person, id: account.id, post: body.items.id };
}

const personOf = (username: string): Person => ({
  ...newPerson(),
  username,
  email: `${username}@example.org`,
  password,
});

/** Signs the operator in, with an authenticator app. */
async function enterAsOperator(): Promise<void> {
  const olga = await createClient(service.env, 'olga_byron');
  ({ page } = await openBrowser({ baseUrl: service.baseUrl }));
  await signIn(page, personOf('olga_byron'));
  await page.goto('/account/security/authenticator');
  const key = await page.getByTestId('setup-key').innerText();
  await fill(page, { code: codeAt(key, 0) });
  await page.getByTestId('confirm-authenticator').click();
  await linnet('user', 'grant-operator', 'olga_byron');
  await page.goto('/logout');
  await page.getByTestId('sign-out').click();
  await signIn(page, personOf('olga_byron'));
  await fill(page, { code: codeAt(key, 30) });
  await pressSubmit(page);
  await page.goto('/admin');
  await linnet('app', 'allow-admin', olga.id);
  adminToken = await getToken(olga, 'admin:read admin:write');
}

type Spammers = readonly [Member, Member, Member];

/** Nobody registers without the link of an invitation: three spammers share one. */
async function registerSpammers(): Promise<Spammers> {
  const { link } = await follow('Close registration', 'invitation create');
  const stranger = {
    ...{ first_name: 'Eve', last_name: 'Byron' },
    username: 'eve_byron',
    email: 'eve@bad.example',
    password,
  };
  const refused = await api('POST /auth/register', stranger);
  expect(refused).toMatchObject({ status: 403, body: { code: 'registration-closed' } });
  const registerSpammer = async (username: string) => {
    const person = { ...personOf(username), email: `${username}@bad.example` };
    const { page: form } = await openBrowser({ baseUrl: service.baseUrl });
    await form.goto('/register');
    await fillRegistration(form, person);
    await pressSubmit(form);
    expect(new URL(form.url()).pathname).toBe('/register');
    await form.goto(String(link));
    await fillRegistration(form, person);
    await pressSubmit(form);
    await form.waitForURL(({ pathname }) => pathname !== '/register');
    await findMail(person, 'Confirm');
    return await publish(person);
  };
  return [await registerSpammer('spam_one'), await registerSpammer('spam_two'), await registerSpammer('spam_three')];
}

/** A member reports the three posts, one of them on its page. Returns the cases, by post. */
async function report(posts: readonly number[]): Promise<readonly string[]> {
  const { page: form } = await openBrowser({ baseUrl: service.baseUrl });
  await signIn(form, personOf(reporter));
  const [first, ...others] = posts;
  await form.goto(`/report/post/${String(first)}`);
  await form.locator('main [name=reason][value=spam]').check();
  await form.getByTestId('send-report').click();
  for (const id of others) {
    expect((await api('POST /reports/create', { type: 'post', item_id: id, reason: 'spam' })).status).toBe(200);
  }
  const { items } = await send('Read a report', 'GET /reports');
  return posts.map((post) => String(items?.find((one) => one['subject_id'] === post)?.['id']));
}

/** Each way of a step of its own: on the page, by the command, by a program. */
async function limitAndSuspend(rude: Member): Promise<void> {
  const { id, username } = rude;
  const states = async () => [
    (await send('Look at the account', 'GET /accounts/show', { id }))['state'],
    await seen(rude),
  ];
  await walkTo('Limit', rude, ...act('limit'));
  expect((await states())[0]).toBe('limited');
  await send('Limit', 'POST /accounts/unlimit', { id });
  await follow('Limit', 'user limit', { username });
  await follow('Limit', 'user unlimit', { username });
  await send('Limit', 'POST /accounts/limit', { id });
  await send('Limit', 'POST /accounts/unlimit', { id });
  await walkTo('Suspend', rude, ...act('suspend'));
  expect(await states()).toEqual(['suspended', gone]);
  await send('Restore', 'POST /accounts/restore', { id });
  await send('Suspend', 'POST /accounts/suspend', { id });
  await follow('Restore', 'user restore', { username });
  await follow('Suspend', 'user suspend', { username });
  await walkTo('Restore', rude, ...act('restore'));
  expect(await states()).toEqual(['active', there]);
}

/** The three cases are resolved in three ways; the reporter and the author learn it. */
async function decide(spammers: Spammers): Promise<void> {
  const [deleted] = spammers;
  const cases = await report(spammers.map(({ post }) => post));
  const [first = '', second = '', third = ''] = cases;
  const toCase = [tab('reports'), `[data-testid=cases] a[href="/admin/reports/${first}"]`];
  expect(await walk('Read a report', toCase)).toContain('Buy cheap pills');
  await follow('Read a report', 'report list');
  expect(await follow('Read a report', 'report show', { case: second })).toMatchObject({ content: 'Buy cheap pills' });
  await send('Read a report', 'GET /reports/show', { id: third });
  await walk('Decide about the report', [...toCase, ...act('deleted')]);
  await follow('Decide about the report', 'report resolve', { case: second });
  await send('Decide about the report', 'POST /reports/resolve', { id: Number(third), outcome: 'dismissed' });
  expect((await send('Read a report', 'GET /reports')).items).toEqual([]);
  expect(await seen(deleted)).toEqual([200, 404, 200, 404]);
  await findMail(personOf(reporter), 'Your report on');
  await findMail(deleted, 'Something that you posted');
}

/** A suspended person signs in, reads why, downloads the data and appeals. */
async function appeal(person: Member): Promise<void> {
  expect(await findMail(person, 'was suspended')).toContain('Advertising');
  const { page: form } = await openBrowser({ baseUrl: service.baseUrl });
  await signIn(form, person);
  expect(await form.getByTestId('suspension-reason').innerText()).toContain('Advertising');
  const downloading = form.waitForEvent('download');
  await form.getByTestId('export-suspended').click();
  const file = join(service.dataDir, 'own-export.zip');
  await (await downloading).saveAs(file);
  expect(readArchive(await readFile(file)).json.posts).toHaveLength(1);
  await fill(form, { appeal: 'My cat did it.' });
  await form.getByTestId('appeal').click();
  expect(await walkTo('Read an appeal', person)).toContain('My cat did it.');
  expect(await send('Read an appeal', 'GET /accounts/show', { id: person.id })).toMatchObject({
    appeal: 'My cat did it.',
  });
  expect(await follow('Read an appeal', 'user show', { username: person.username })).toMatchObject({
    appeal: 'My cat did it.',
  });
}

async function exportAndErase(person: Member): Promise<void> {
  const { username } = person;
  const file = join(service.dataDir, 'export.zip');
  const written = guide.command('Export for a person', 'user export', { username });
  await linnet(...written.map((word) => (word === 'export.zip' ? file : word)));
  const { names, json } = readArchive(await readFile(file));
  expect([names.includes('README.txt'), JSON.stringify(json.account).includes(username), json.posts.length]).toEqual([
    true,
    true,
    1,
  ]);
  await walkTo('Erase', person, ...act('delete'));
  await send('Restore', 'POST /accounts/restore', { id: person.id });
  await send('Erase', 'POST /accounts/delete', { id: person.id });
  await follow('Erase', 'user delete', { username });
  expect(await seen(person)).toEqual(gone);
  const { page: form } = await openBrowser({ baseUrl: service.baseUrl });
  await signIn(form, person);
  expect(new URL(form.url()).pathname).toBe('/login');
}

test('from closed registration to erasure, as the guide for moderators says', async () => {
  const client = await createClient(service.env, reporter);
  api = createApiCaller(service.baseUrl, await getToken(client, 'users posts'));
  await enterAsOperator();
  const spammers = await registerSpammers();
  const [, second, third] = spammers;
  const names = [
    '--first-name',
    'Rude',
    '--last-name',
    'Person',
    '--username',
    'rude_person',
    '--email',
    'rude_person@example.org',
  ];
  await linnet('user', 'create', '--password', password, ...names);
  await limitAndSuspend(await publish(personOf('rude_person')));
  await follow('Look at the account', 'user show', { username: second.username });
  expect(await walkTo('Look at the account', second)).toContain(second.email);

  await decide(spammers);
  const domain = 'bad.example';
  await walk('Suspend many', [tab('people'), ...suspendEveryone], { domain, shown_reason: 'Advertising' });
  expect(await Promise.all(spammers.map(seen))).toEqual([gone, gone, gone]);
  for (const { id } of spammers) await send('Restore', 'POST /accounts/restore', { id });
  await follow('Suspend many', 'user suspend');
  expect(await Promise.all(spammers.map(seen))).toEqual([gone, gone, gone]);
  await follow('Keep them out', 'block add');
  await send('Keep them out', 'POST /blocks/add', { kind: 'word', value: 'cheappills', act: 'mark' });
  const add = ['summary:has(+ [data-testid=add-block])', '[data-testid=add-block] button'];
  expect(await walk('Keep them out', [tab('blocks'), ...add], { value: 'worse.example' })).toContain('worse.example');
  expect((await send('Keep them out', 'GET /blocks')).items).toHaveLength(3);

  await appeal(second);
  await walkTo('Restore', second, ...act('restore'));
  expect(await Promise.all([second, third].map(seen))).toEqual([there, gone]);
  await findMail(second, 'no longer suspended');
  await exportAndErase(third);

  expect(await walk('See what was done', [tab('audit')])).toContain('Ticket 4711');
  const { items } = await send('See what was done', 'GET /audit');
  expect(items).toContainEqual(expect.objectContaining({ event: 'account.suspended' }));
  await follow('See what was done', 'audit tail');
  expect(guide.left()).toEqual([]);
});
