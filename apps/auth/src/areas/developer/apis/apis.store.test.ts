import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import { textOf } from '@linnet/test/auth/html';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { documentBaseUrl } from '@linnet/test/auth/document-world';
import { startDocumentServer } from '@linnet/test/auth/document-server';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** The pages of a developer's APIs. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let stranger: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  stranger = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  await signIn(stranger, await registerPerson(auth.db, 'eve_stranger'));
});
afterAll(() => cleanup.disposeAsync());

const valid = {
  name: 'Notes',
  identifier: 'https://notes.example.com/mcp',
  scopes: 'notes:read Read your notes.\n\nnotes:write  Write your notes.',
};

async function register(values: FormValues): Promise<Page> {
  const page = await browser.open('/developer/apis/new');
  return await browser.submit(page, page.formWith('scopes'), { ...valid, ...values });
}

test('a developer registers an API, changes it and deletes it', async () => {
  const { clientId } = await createOnPage(browser, { name: 'Notes server' });
  expect((await browser.open('/developer')).text).toContain('Protect your own API');
  const created = await register({ client_id: clientId });
  expect(created.text).toContain('API registered.');
  const stored = await auth.db.prisma.resourceServer.findFirstOrThrow();
  expect(stored).toMatchObject({ identifier: valid.identifier, scopes: ['notes:read', 'notes:write'], clientId });
  expect(stored.scopeDescriptions).toEqual({ 'notes:read': 'Read your notes.', 'notes:write': 'Write your notes.' });
  expect((await browser.open('/developer/apis')).text).toContain('notes:read notes:write');
  // The same form again leads to the same API.
  expect((await register({})).text).toContain('You have registered this identifier already.');

  const page = await browser.open(created.url.pathname);
  const saved = await browser.submit(page, page.formWith('scopes'), {
    name: 'My notes',
    scopes: 'notes:read Read them.',
    client_id: '',
    access_token_alg: 'RS256',
  });
  expect(saved.text).toContain('Changes saved.');
  expect(await auth.db.prisma.resourceServer.findFirstOrThrow()).toMatchObject({
    identifier: valid.identifier,
    name: 'My notes',
    scopes: ['notes:read'],
    clientId: null,
    accessTokenAlg: 'RS256',
    epoch: 1,
  });

  const wrong = await browser.submit(saved, saved.formWith('confirm'), { confirm: 'Notes' });
  expect(wrong.status).toBe(422);
  const deleted = await browser.submit(wrong, wrong.formWith('confirm'), { confirm: 'My notes' });
  expect([deleted.url.pathname, deleted.text]).toEqual(['/developer/apis', expect.stringContaining('API deleted.')]);
  expect(await auth.db.prisma.resourceServer.count()).toBe(0);

  const entries = deleted.html.split('<li').map((item) => textOf(`<li${item.split('</li>')[0] ?? ''}`));
  expect(entries.filter((text) => text.includes(valid.identifier))).toEqual([
    expect.stringMatching(/^API deleted.+ · you · name: My notes$/),
    expect.stringMatching(
      /^API settings saved.+ · you · name: My notes · permissions: notes:read · changed: descriptions of the scopes · changed: Signature of access tokens \(RS256\) · changed: Application that introspects tokens \(None\)$/,
    ),
    expect.stringMatching(/^API registered.+ · you · name: Notes · permissions: notes:read notes:write$/),
  ]);
  expect((await stranger.open('/developer/apis')).html).not.toContain('api-history');
});

test('the history has pages, ignores malformed ids, and has no entry for a form that changes nothing', async () => {
  const created = await register({ identifier: 'https://paged.example.com/' });
  const save = async (name: string) => {
    const page = await browser.open(created.url.pathname);
    await browser.submit(page, page.formWith('scopes'), { name });
  };
  await save('Notes');
  for (let number = 1; number <= 21; number += 1) await save(`Notes ${String(number)}`);
  const namesOf = ({ html }: Page) => [...html.matchAll(/name: (Notes[\d ]*)/g)].map(([, name]) => name?.trim());
  const latest = await browser.open('/developer/apis');
  expect(namesOf(latest)).toEqual(Array.from({ length: 20 }, (_, index) => `Notes ${String(21 - index)}`));
  const older = /apis\?before=(\d+)/.exec(latest.html);
  const second = await browser.open(`/developer/apis?before=${String(older?.[1])}`);
  expect(namesOf(second).slice(0, 2)).toEqual(['Notes 1', 'Notes']);
  for (const id of ['x', '-1', '1e9', '99999999999999999999', '1&before=2', '%00']) {
    expect((await browser.open(`/developer/apis?before=${id}`)).status).toBe(200);
  }
  await auth.db.prisma.resourceServer.deleteMany({});
});

test.each([
  ['identifier', { identifier: 'http://notes.example.com/' }, 'Use https'],
  ['identifier', { identifier: 'https://linnet.example/notes' }, 'belongs to this service'],
  ['name', { name: ' ' }, 'Enter a name.'],
  ['name', { name: 'Linnet Support' }, 'could be taken for the service'],
  ['scopes', { scopes: '' }, 'at least one scope'],
  ['scopes', { scopes: 'posts Read posts' }, 'posts is a scope of this service'],
  ['scopes', { scopes: 'notes' }, 'needs a description'],
  ['client_id', { client_id: 'app_0123456789abcdef' }, 'one of your confidential applications'],
])('a wrong %s is refused at its field, and the input is kept', async (_field, values, message) => {
  const page = await register(values);
  expect([page.status, page.text]).toEqual([422, expect.stringContaining(message)]);
  const fields = new Map(page.formWith('scopes').fields);
  expect(fields.get('identifier')).toBe({ ...valid, ...values }.identifier);
  expect(await auth.db.prisma.resourceServer.count()).toBe(0);
});

test('other people find no API', async () => {
  const { url } = await register({ identifier: 'https://other.example.com/' });
  const own = await browser.open(url.pathname);
  expect(own.status).toBe(200);
  expect((await stranger.open(url.pathname)).status).toBe(404);
  for (const id of ['0', '-1', 'x', '1e3', '99999999999999999999', "'"]) {
    expect((await browser.open(`/developer/apis/${encodeURIComponent(id)}`)).status).toBe(404);
  }
  await stranger.submit(own, own.formWith('confirm'), { confirm: 'Notes' });
  expect(await auth.db.prisma.resourceServer.count()).toBe(1);
});

test('the consent page says that the address is not verified, until the API itself names this service', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using local = await startAuth(database.url, { baseUrl: documentBaseUrl });
  await using server = await startDocumentServer();
  const ada = createBrowser(local);
  await signIn(ada, await registerPerson(local.db, 'ada_lovelace'));
  const identifier = `${server.origin}/mcp`;
  const form = await ada.open('/developer/apis/new');
  const created = await ada.submit(form, form.formWith('scopes'), { ...valid, identifier });
  const app = await registerThirdParty(local);
  const consent = async () => (await app.send(ada, { scope: 'notes:read', resource: identifier })).text;
  const check = async () => {
    const page = await ada.open(created.url.pathname);
    return await ada.submit(page, page.formWith('action', 'prove'), {});
  };
  const unverified = 'It is not verified that @ada_lovelace operates this address.';
  expect(await consent()).toContain(unverified);
  const refused = await check();
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('we found no metadata of this API')]);
  const document = { resource: identifier, authorization_servers: [local.baseUrl] };
  server.serve('/.well-known/oauth-protected-resource/mcp', { document });
  expect((await check()).text).toContain('The address is verified.');
  expect(await consent()).not.toContain(unverified);
  server.serve('/.well-known/oauth-protected-resource/mcp', { status: 404 });
  expect((await check()).status).toBe(422);
  expect(await consent()).toContain(unverified);
});
