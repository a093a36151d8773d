import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { createRelayedConnection } from '@linnet/test/db/relayed-connection';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { toHtml } from '../../pages/frame/render.tsx';
import { createBrowser } from '@linnet/test/auth/browser';
import { textOf } from '@linnet/test/auth/html';
import { samplePage } from '@linnet/test/auth/sample-pages';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
const authorStates = [
  ['front_plain', {}],
  ['front_protected', { protected: true }],
  ['front_limited', { limitedAt: new Date() }],
  ['front_suspended', { suspendedAt: new Date() }],
  ['front_deleted', { deletedAt: new Date() }],
] as const;
const siteLinks = {
  contact: 'mailto:hello@example.org',
  terms: 'https://example.org/terms',
  privacy: 'https://example.org/privacy',
  status: 'https://status.example.org/',
};
let auth: RunningAuth;
let database: TestDatabase;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { siteLinks }));
});
afterAll(async () => await cleanup.disposeAsync());

describe('/', () => {
  test('tells visitors what the service is, and leads to registration, sign-in and the reference', async () => {
    const page = await createBrowser(auth).open('/');
    expect([page.status, page.url.pathname]).toEqual([200, '/']);
    expect(page.link('Create an account')).toBe('/register');
    expect(page.link('Sign in')).toBe('/login');
    expect(page.link('Create application')).toBe('/developer/applications/new');
    expect(page.link('API reference')).toBe('/api/v2.0/docs');
    expect(page.html).not.toContain('noindex');
    expect(page.html).toMatch(/<meta name="description" content="Share short posts /);
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  test('shows the latest posts that every visitor may see, and never a sensitive one', async () => {
    const authors = await Promise.all(authorStates.map(async ([name]) => await registerPerson(auth.db, name)));
    for (const [index, [name, state]] of authorStates.entries()) {
      const authorId = authors[index]?.id ?? 0;
      for (const [text, sensitive] of [
        [`a post of ${name}`, false],
        [`a sensitive post of ${name}`, true],
      ] as const) {
        await insertPost(auth.db, { authorId, text, entities: findEntities(text), sensitive });
      }
      await auth.db.prisma.account.update({ where: { id: authorId }, data: state });
    }
    const { html } = await createBrowser(auth).open('/');
    expect(html.match(/a (?:sensitive )?post of \w+/g)).toEqual(['a post of front_plain']);
  });

  test('is in the language of the browser', async () => {
    const page = await createBrowser(auth, { headers: { 'accept-language': 'fr' } }).open('/');
    expect(page.text).toContain('Des publications courtes');
  });

  test('shows commands for the public address of the service', async () => {
    const { html } = await createBrowser(auth).open('/');
    const commands = textOf(/<pre.*?<\/pre>/s.exec(html)?.[0] ?? '').match(/curl\S*(?: -i)? (\S+)/g);
    expect(commands).toEqual([
      `curl ${auth.baseUrl}/.well-known/oauth-authorization-server`,
      `curl ${auth.baseUrl}/api/v2.0/openapi.json`,
      `curl -i ${auth.baseUrl}/api/v2.0/feed`,
    ]);
  });

  test('is the home page after signing in, and leads to every area', async () => {
    const person = await registerPerson(auth.db, 'ada_at_home');
    const browser = createBrowser(auth);
    const page = await signIn(browser, person);
    expect([page.status, page.url.pathname]).toEqual([200, '/']);
    expect(page.link('Your public profile')).toBe(`/@${person.username}`);
    const own = ['Account', 'Connected apps', 'Followers', 'Security', 'My applications'];
    for (const name of own) expect((await browser.open(page.link(name))).status).toBe(200);
  });

  test('shows visitors the landing page again after they sign out', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, await registerPerson(auth.db, 'bob_at_home'));
    const question = await browser.open('/logout');
    await browser.submit(question, question.formOf('sign-out'));
    expect((await browser.open('/')).link('Create an account')).toBe('/register');
  });
});

describe('/status', () => {
  /** A server that was set up ten days ago, with the minutes that SQL conditions choose. The next minute is one of them. */
  async function startWith(url: string, recorded: Readonly<Record<string, string>>, owner: string) {
    const started = await startAuth(url, { owner });
    await started.db.prisma.$executeRaw`UPDATE signing_key SET created_at = now() - interval '10 days'`;
    await started.db.prisma.statusSample.deleteMany();
    for (const [part, condition] of Object.entries(recorded)) {
      await started.db.prisma.$executeRawUnsafe(
        `INSERT INTO status_sample SELECT date_trunc('minute', now()) - ago * interval '1 minute', $1::status_part
           FROM generate_series(-1, 1500) ago WHERE ${condition}`,
        part,
      );
    }
    return started;
  }
  const read = async (server: RunningAuth) => (await server.send({ path: '/status.json' })).json;
  const minutesIn = (interruptions: readonly { from: string; until: string | null }[]) =>
    interruptions.map(({ from, until }) => (until === null ? null : (Date.parse(until) - Date.parse(from)) / 60_000));

  test('shows what works, and each minute in which something did not', async () => {
    const recorded = { database: 'true', sign_in: 'ago NOT BETWEEN 100 AND 102 AND ago <> 7', api: 'ago > 30' };
    await using server = await startWith(database.url, recorded, 'status_owner');
    const answer = await server.send({ path: '/status.json' });
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=15',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const { status, parts } = answer.json as unknown as StatusDocument; // as the document of the route
    expect(status).toBe('impaired');
    expect(parts).toMatchObject({
      database: { available: true, availability: 1, interruptions: [] },
      sign_in: { available: true, availability: Math.floor((1 - 4 / 1440) * 10_000) / 10_000 },
      api: { available: false },
      media: { available: false, availability: 0 },
    });
    expect(minutesIn(parts['sign_in']?.interruptions ?? [])).toEqual([1, 3]);
    expect(minutesIn(parts['api']?.interruptions ?? [])).toEqual([null]);
    const page = await createBrowser(server, { headers: { 'accept-language': 'de' } }).open('/status');
    expect(page.headers).toMatchObject({ 'cache-control': 'public, max-age=15', vary: 'Accept-Language, Cookie' });
    expect(page.text).toContain('In den letzten 24 Stunden zu 99,72');
    expect(page.headers['set-cookie']).toBeUndefined();
    // It sets the cookie of the language, so no cache may keep it.
    const chosen = await server.send({ path: '/status?lang=fr' });
    expect([chosen.headers['cache-control'], chosen.text.includes('État du service')]).toEqual(['no-store', true]);
  });

  test('says that a new service has no interruptions before it was set up', async () => {
    await using server = await startWith(database.url, {}, 'new_status_owner');
    await server.db.prisma.$executeRaw`UPDATE signing_key SET created_at = now()`;
    expect(await read(server)).toMatchObject({ status: 'available', known_from: null });
    expect((await createBrowser(server).open('/status')).text).toContain('No data yet.');
  });

  test('has what the servers record, each once a minute', async () => {
    await using server = await startWith(database.url, {}, 'recording_owner');
    await server.runJob('status-sign-in');
    server.statements.length = 0;
    await server.runJob('status-sign-in');
    expect(server.statements).toHaveLength(0);
    const found = await server.db.prisma.statusSample.findMany({ select: { part: true } });
    expect(found.map(({ part }) => part).toSorted()).toEqual(['database', 'media', 'sign_in']);
  });

  test('keeps what it knows and says so when the database does not respond', async () => {
    const relay = await createRelayedConnection(database.url);
    await using server = await startWith(relay.url, { database: 'ago < 1440', api: 'ago > 1' }, 'cut_off_owner');
    await relay.break();
    const unknown = await createBrowser(server).open('/status');
    expect([unknown.status, unknown.text]).toEqual([200, expect.stringContaining('cannot be shown')]);
    expect(await read(server)).toMatchObject({
      status: 'impaired',
      database_responds: false,
      parts: { database: { available: false, availability: null } },
    });
    // What it read before.
    expect(textOf(toHtml(samplePage('status without the database')))).toMatch(
      /does not respond.+not known yet.+95\.83%/s,
    );
  });
});

interface StatusDocument {
  readonly status: string;
  readonly parts: Readonly<
    Record<string, { readonly interruptions: readonly { readonly from: string; readonly until: string | null }[] }>
  >;
}

test.each(['/', '/login', '/register', '/no-such-page'])('%s links what the operator has set', async (path) => {
  const page = await createBrowser(auth).open(path);
  expect(page.link('Contact')).toBe(siteLinks.contact);
  expect(page.link('Terms')).toBe(siteLinks.terms);
  expect(page.link('Privacy')).toBe(siteLinks.privacy);
  expect(page.link('Status')).toBe(siteLinks.status);
});

test('security.txt names the contact if there is no address for vulnerabilities', async () => {
  const { text } = await auth.send({ path: '/.well-known/security.txt' });
  expect(text).toContain('Contact: mailto:hello@example.org\n');
});

test.each([
  ['/favicon.ico', 'image/x-icon', 'PNG'],
  ['/apple-touch-icon.png', 'image/png', 'PNG'],
  ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /oauth/'],
])('%s is served', async (path, type, content) => {
  const { status, headers, text } = await auth.send({ path });
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(text).toContain(content);
});

test('the sitemap lists the profiles that everybody may see, unless it is switched off', async () => {
  for (const [name, state] of [...authorStates, ['front_silent', { postsCount: 0 }] as const]) {
    const { id } = await registerPerson(auth.db, name.replace('front', 'sitemap'));
    await auth.db.prisma.account.update({ where: { id }, data: { postsCount: 1, ...state } });
  }
  const { text, headers } = await auth.send({ path: '/sitemap.xml' });
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(text).toContain(`<loc>${auth.baseUrl}/@sitemap_plain</loc>`);
  expect(text.match(/@sitemap_/g)).toHaveLength(1);
  expect((await auth.send({ path: '/robots.txt' })).text).toContain(`\nSitemap: ${auth.baseUrl}/sitemap.xml\n`);
  await using off = await startAuth(database.url, { sitemap: false, owner: 'owner_without_sitemap' });
  expect((await off.send({ path: '/sitemap.xml' })).status).toBe(404);
  expect((await off.send({ path: '/robots.txt' })).text).not.toContain('Sitemap');
});
