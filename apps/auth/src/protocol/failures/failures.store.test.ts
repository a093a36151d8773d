// Only the owner of an application sees why its requests were rejected.
import { randomUUID } from 'node:crypto';

import { findFailures, insertFailures, sweepFailures } from '@linnet/applications/failures/failure-store';
import type { NewFailure } from '@linnet/applications/failures/failure';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let owner: Browser;
let stranger: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  const person = await registerPerson(auth.db, 'failing_owner');
  [owner, stranger] = [createBrowser(auth), createBrowser(auth)];
  await signIn(owner, person);
  await signIn(stranger, await registerPerson(auth.db, 'curious_person'));
});
afterAll(() => cleanup.disposeAsync());

async function register() {
  return await registerThirdParty(auth, { owner: 'failing_owner' });
}

async function openActivity(browser: Browser, clientId: string, query = ''): Promise<Page> {
  return await browser.open(`/developer/applications/${clientId}/activity${query}`);
}

test('shows a wrong redirect URI beside the nearest registered one, without the values of its query', async () => {
  const app = await register();
  const { clientId } = app;
  await app.send(stranger, { redirect_uri: 'https://app.example.com/calback/?token=hidden-value', state: 'aGlkZGVu' });
  await app.send(stranger, { redirect_uri: 'https://control.example/\u0007\u001B[31m' });
  await vi.waitFor(async () => {
    const { text } = await openActivity(owner, clientId);
    expect(text).toContain('https://control.example/\uFFFD\uFFFD[31m');
    expect(text).toContain('The redirect URI is not registered');
    expect(text).toContain('https://app.example.com/calback/?token=…');
    expect(text).toContain('https://app.example.com/cal missing: l back extra: /?token=…');
    expect(text).not.toMatch(/hidden-value|aGlkZGVu/);
  }, 50_000);
});

test('only the owner sees the failures, filtered by kind on request, and in the language of the browser', async () => {
  const app = await register();
  const { clientId } = app;
  await app.refresh('not-a-refresh-token');
  await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, 'not-the-secret'));
  await vi.waitFor(async () => {
    const { list: found } = await findFailures(auth.db, clientId);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['refresh_token', 'credentials']));
  }, 50_000);
  const { text: one } = await openActivity(owner, clientId, '?failed=credentials');
  expect(one).toContain('The client secret is wrong.');
  expect(one).not.toContain('The refresh token does not exist');
  expect(one).not.toMatch(/not-a-refresh-token|not-the-secret/);
  const german = createBrowser(auth, { headers: { 'accept-language': 'de' }, cookies: owner.cookies.copy() });
  expect((await openActivity(german, clientId)).text).toContain('Das Client-Geheimnis ist falsch.');
  expect((await openActivity(stranger, clientId, '?failed=credentials')).status).toBe(404);
});

test('failures are kept for 7 days, at most 100 per application and minute', async () => {
  const { clientId } = await register();
  const failure = {
    ...{ clientId, kind: 'scope', cause: 'scope_unknown', details: { scopes: ['nothing'] } },
    ...{ endpoint: '/oauth/token', error: 'invalid_scope', reason: '-', requestId: undefined },
  } satisfies Omit<NewFailure, 'at'>;
  const daysAgo = (days: number): NewFailure => ({ ...failure, at: new Date(Date.now() - days * 86_400_000) });
  await insertFailures(auth.db, [
    daysAgo(6.9),
    { ...daysAgo(7.1), reason: 'old' },
    { ...daysAgo(0), clientId: 'of-nobody' },
  ]);
  const count = async () => await auth.db.prisma.requestLog.count({ where: { clientId } });
  expect([(await findFailures(auth.db, clientId, { kind: 'scope' })).list.length, await count()]).toEqual([1, 2]);
  await sweepFailures(auth.db);
  expect(await count()).toBe(1);
  const different = Array.from({ length: 140 }, (_, number) => ({ ...daysAgo(0), reason: String(number) }));
  await insertFailures(auth.db, different.slice(0, 70));
  await insertFailures(auth.db, different.slice(70));
  expect(await count()).toBe(101);
  await insertFailures(auth.db, [{ ...daysAgo(0), authenticated: true }]);
  expect(await count()).toBe(102);
});

test('repeats are counted in one row, which each of their last requests leads to, and a full log still counts them', async () => {
  const { clientId } = await register();
  const failure = {
    ...{ clientId, kind: 'credentials', cause: 'secret_wrong', details: {}, endpoint: '/oauth/token' },
    ...{ error: 'invalid_client', reason: '-' },
  } satisfies Omit<NewFailure, 'at' | 'requestId'>;
  const repeat = (minutesAgo: number): NewFailure => ({
    ...failure,
    ...{ at: new Date(Date.now() - minutesAgo * 60_000), requestId: randomUUID() },
  });
  const repeats = Array.from({ length: 12 }, (_, number) => repeat(12 - number));
  await insertFailures(auth.db, repeats.slice(0, 5));
  await Promise.all(repeats.slice(5).map(async (one) => await insertFailures(auth.db, [one])));
  const { list } = await findFailures(auth.db, clientId);
  expect(list).toEqual([
    expect.objectContaining({ times: 12, at: repeats.at(-1)?.at, firstAt: repeats[0]?.at, cause: 'secret_wrong' }),
  ]);
  for (const { requestId } of repeats) {
    const page = await openActivity(owner, clientId, `?request=${String(requestId)}`);
    expect(page.html).toContain(`data-copy="true">${String(requestId)}</code>`);
  }
  expect((await openActivity(owner, clientId)).text).toContain('12 times, last ');
  const invented = Array.from({ length: 100 }, (_, number) => ({ ...repeat(0), reason: String(number) }));
  await insertFailures(auth.db, invented);
  await insertFailures(auth.db, [repeat(0), { ...repeat(0), reason: 'above the limit' }]);
  const rows = await auth.db.prisma.requestLog.findMany({ where: { clientId } });
  expect([rows.length, rows.find(({ reason }) => reason === '-')?.times]).toEqual([101, 13n]);
});

test('its owner lists only what an application sent itself', async () => {
  const { clientId } = await register();
  const failure = {
    ...{ clientId, kind: 'scope', cause: 'scope_unknown', endpoint: '/oauth/token', error: 'invalid_scope' },
    ...{ reason: '-', requestId: undefined, at: new Date() },
  } satisfies Omit<NewFailure, 'details'>;
  await insertFailures(auth.db, [
    { ...failure, details: { scopes: ['of_strangers'] } },
    { ...failure, details: { scopes: ['its_own'] }, authenticated: true },
  ]);
  const all = await openActivity(owner, clientId);
  const own = await openActivity(owner, clientId, '?own=on');
  expect([all, own].map(({ text }) => text.includes('of_strangers'))).toEqual([true, false]);
  expect(own.text).toContain('its_own');
});

test('strangers who fail in the name of an application do not displace what it sent itself', async () => {
  const { clientId, clientSecret } = await auth.register({ owner: 'owner_of_all', scopes: ['users'] });
  const count = async (authenticated: boolean) =>
    await auth.db.prisma.requestLog.count({ where: { clientId, authenticated } });
  const form = { grant_type: 'client_credentials', scope: 'nothing' };
  for (let sent = 0; sent < 10; sent += 1) {
    await auth.requestToken({ ...form, client_id: clientId, client_secret: 'wrong' });
  }
  await auth.requestToken({ ...form, client_id: clientId, client_secret: clientSecret ?? '' });
  const times = async () => {
    const { _sum } = await auth.db.prisma.requestLog.aggregate({
      where: { clientId, authenticated: false },
      _sum: { times: true },
    });
    return Number(_sum.times);
  };
  await vi.waitFor(
    async () => expect([await count(true), await count(false), await times()]).toEqual([1, 1, 10]),
    50_000,
  );
});

test('an error page names the application and the request id, and leads its owner to the entry', async () => {
  const app = await register();
  const wrong = { redirect_uri: 'https://app.example.com/wrong' };
  const page = await app.send(owner, wrong);
  expect(page.text).toContain('The request came from Test application');
  const requestId = String(page.headers['x-request-id']);
  expect(page.text).toContain(requestId);
  const link = `/developer/applications/${app.clientId}/activity?request=${requestId}`;
  expect(page.html).toContain(link);
  await vi.waitFor(async () => {
    const entry = await owner.open(link);
    expect(entry.text).toContain('The redirect URI is not registered.');
    expect(entry.html).toContain(`data-copy="true">${requestId}</code>`);
  }, 50_000);
  const other = await openActivity(owner, app.clientId, '?request=5d4c1b1e-1f4b-4f0f-9d52-0a4f7e3a2b10');
  expect(other.text).toContain('No failed requests match.');
  expect((await openActivity(owner, app.clientId, "?request='")).text).toContain('No failed requests match.');
  for (const person of [stranger, createBrowser(auth)]) {
    expect((await app.send(person, wrong)).html).not.toContain('/developer/applications/');
  }
});

test('an authenticated client gets the address of the entry, also of a repeat, and no other client does', async () => {
  const app = await register();
  const form = { grant_type: 'client_credentials', scope: 'nothing' };
  const fail = async (headers: Record<string, string>) => (await auth.requestToken(form, headers)).json['error_uri'];
  const authenticated = basic(app.clientId, app.clientSecret);
  const addresses = [await fail(authenticated), await fail(authenticated)].map((address) => new URL(String(address)));
  expect(addresses.map(({ origin, pathname }) => origin + pathname)).toEqual(
    Array.from({ length: 2 }, () => `${auth.baseUrl}/developer/applications/${app.clientId}/activity`),
  );
  for (const { pathname, search } of addresses) {
    await vi.waitFor(async () => expect((await owner.open(pathname + search)).text).toContain('nothing'), 50_000);
  }
  expect(await fail(basic(app.clientId, 'wrong'))).toBeUndefined();
  expect(await fail(basic('app_unknown', 'wrong'))).toBeUndefined();
  const spa = await registerThirdParty(auth, { owner: 'failing_owner', type: 'public' });
  const { json } = await auth.requestToken({
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: spa.clientId,
  });
  expect([json['error'], json['error_uri']]).toEqual(['invalid_grant', undefined]);
});

test('failures of applications without an owner are not recorded, and at most 2,000 a day of each server', async () => {
  const { clientId } = await register();
  const failure = {
    ...{ clientId, kind: 'scope', cause: undefined, details: {}, endpoint: '/', error: '-', reason: '-' },
    ...{ requestId: undefined, at: new Date() },
  } satisfies NewFailure;
  const count = async () => await auth.db.prisma.requestLog.count({ where: { clientId } });
  await auth.db.prisma.$executeRaw`
    INSERT INTO request_log (client_id, at, first_at, kind, endpoint, error, reason)
    SELECT ${clientId}, now() - interval '1 hour', now() - interval '1 hour', 'scope', '/', '-', '-' FROM generate_series(1, 1999)`;
  await insertFailures(auth.db, [failure, { ...failure, reason: 'two' }, { ...failure, kind: 'api', status: 404 }]);
  expect(await count()).toBe(2001);
  await auth.db.prisma.$executeRaw`
    UPDATE application SET owner_id = NULL, grant_types = '{authorization_code}', registration_token_sha256 = decode(repeat('00', 32), 'hex')
     WHERE client_id = ${clientId}`;
  await insertFailures(auth.db, [{ ...failure, kind: 'api', status: 404 }]);
  expect(await count()).toBe(2001);
});

test('the next page has older failures, also with a filter', async () => {
  const { clientId } = await register();
  await auth.db.prisma.$executeRaw`
    INSERT INTO request_log (client_id, kind, endpoint, error, reason, cause)
    SELECT ${clientId}, 'scope', '/', 'e' || number, '-', 'scope_unknown' FROM generate_series(1, 15) AS number`;
  const first = await openActivity(owner, clientId, '?failed=scope');
  const next = /href="([^"]*before=[^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await openActivity(owner, clientId, next);
  const count = ({ html }: Page) => html.split('There is no such scope.').length - 1;
  expect([count(first), count(second)]).toEqual([10, 5]);
  expect([first, second].map(({ text }) => text.includes('Older entries'))).toEqual([true, false]);
});

test('a long address is shortened in the list, and whole beside its request id', async () => {
  const { clientId } = await register();
  const requestId = randomUUID();
  const presented = `https://app.example.com/${'a'.repeat(500)}`;
  await insertFailures(auth.db, [
    {
      ...{ clientId, requestId, at: new Date(), kind: 'redirect_uri', cause: 'redirect_uri_unregistered' },
      ...{ details: {}, endpoint: '/oauth/authorize', error: 'invalid_redirect_uri', reason: '' },
      ...{ presented, registered: 'https://app.example.com/cb' },
    },
  ]);
  const listed = await openActivity(owner, clientId);
  expect(listed.text).toMatch(/https:\/\/app\.example\.com\/a{29}…a{26} /);
  expect(listed.text).not.toContain(presented);
  expect((await owner.open(listed.link('Show in full'), listed)).text).toContain(presented);
});
