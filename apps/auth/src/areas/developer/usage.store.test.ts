// Owners, and nobody else, see how their applications are used; counting delays no request.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { bufferApplicationUsage, sweepApplicationUsage } from '@linnet/applications/usage/application-usage-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createApplications } from '@linnet/applications/applications';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { createOnPage, tokenOf } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { bufferEndpointUsage } from '@linnet/applications/usage/endpoint-usage-store';
import { insertFailures } from '@linnet/applications/failures/failure-store';
import { findUsageSummaries, findUsage } from '@linnet/applications/usage/usage-report-store';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let owner: Browser;
let stranger: Browser;
let application: ShownApplication;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { workers: 2 }));
  [owner, stranger] = [createBrowser(auth), createBrowser(auth)];
  await signIn(owner, await registerPerson(auth.db, 'measured_owner'));
  await signIn(stranger, await registerPerson(auth.db, 'measured_other'));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  application = await createOnPage(owner);
});

async function press(testId: string, values: Record<string, string> = {}): Promise<Page> {
  const page = await owner.open(`${application.path}/danger`);
  return await owner.submit(page, page.formOf(testId), values);
}

const status = async () => (await tokenOf(auth, application.clientId, application.clientSecret)).status;
const today = async (clientId: string) => (await findUsage(auth.db, clientId)).at(-1);

describe('usage', () => {
  test('counts the tokens of every process and stores them once', async () => {
    const { clientId } = application;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 200]);
    expect(await today(clientId)).toMatchObject({ tokens: 0 });
    await auth.runJob('usage');
    await auth.runJob('usage');
    expect(await findUsage(auth.db, clientId)).toHaveLength(30);
    expect(await today(clientId)).toMatchObject({ tokens: 3, calls: 0, errors: 0, people: 0 });
  });

  test('adds up concurrent processes, without deleted applications', async () => {
    const { clientId: gone } = await auth.register();
    const others = await Promise.all(Array.from({ length: 5 }, async () => (await auth.register()).clientId));
    await createApplications(auth.db).delete(gone);
    await Promise.all(
      Array.from({ length: 12 }, async (_, number) => {
        const usage = bufferApplicationUsage(auth.db);
        for (const id of number % 2 === 0 ? [gone, ...others] : [...others.toReversed(), gone]) {
          usage.token(id);
          usage.call(id, { isError: number < 3 });
        }
        await usage.flush();
      }),
    );
    for (const id of others) expect(await today(id)).toMatchObject({ tokens: 12, calls: 12, errors: 3 });
  });

  test('days are in UTC; old days are deleted, but the last one keeps the last use', async () => {
    const { clientId } = application;
    const day = (daysAgo: number) => Date.now() - daysAgo * 86_400_000;
    for (const daysAgo of [200, 100, 29, 30]) {
      const usage = bufferApplicationUsage(auth.db, () => day(daysAgo));
      usage.token(clientId);
      await usage.flush();
    }
    const days = await findUsage(auth.db, clientId);
    expect(days.filter(({ tokens }) => tokens > 0)).toEqual([days[0]]);
    expect(days[0]?.day).toBe(new Date(day(29)).toISOString().slice(0, 10));
    const { prisma } = auth.db;
    await sweepApplicationUsage(auth.db);
    expect(await prisma.applicationUsage.count({ where: { clientId } })).toBe(2);
    await prisma.applicationUsage.deleteMany({ where: { clientId, day: { gte: new Date(day(50)) } } });
    const old = bufferApplicationUsage(auth.db, () => day(150));
    old.token(clientId);
    await old.flush();
    await sweepApplicationUsage(auth.db);
    const usageSummary = (await findUsageSummaries(auth.db, [clientId])).get(clientId);
    expect(usageSummary).toMatchObject({ people: 0, tokens: 0, calls: 0, secretExpiresAt: undefined });
    expect(usageSummary?.lastUsedAt?.toISOString().slice(0, 10)).toBe(new Date(day(150)).toISOString().slice(0, 10));
  });

  test('people are those with an active consent at the end of each day', async () => {
    const { clientId } = await connect(auth, stranger);
    const accounts = await Promise.all(['one', 'two', 'six'].map((name) => registerPerson(auth.db, `counted_${name}`)));
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const spans: readonly (readonly [createdAt: Date, revokedAt: Date | null])[] = [
      [ago(100), null],
      [ago(40), ago(10)],
      [ago(60), ago(50)],
    ];
    for (const [index, [createdAt, revokedAt]] of spans.entries()) {
      const account = { connect: { id: BigInt(accounts[index]?.id ?? 0) } };
      const grant = { id: `counted ${String(index)}`, kind: 'consent' as const, createdAt, revokedAt };
      await auth.db.prisma.grant.create({ data: { ...grant, account, application: { connect: { clientId } } } });
    }
    const people = (await findUsage(auth.db, clientId)).map((day) => day.people);
    expect(people).toEqual([...Array.from({ length: 19 }, () => 2), ...Array.from({ length: 10 }, () => 1), 2]);
    expect((await findUsageSummaries(auth.db, [clientId])).get(clientId)?.people).toBe(2);
  });

  test('is shown as a chart and a table, to the owner only', async () => {
    const { path, clientId } = application;
    await status();
    await auth.runJob('usage');
    const page = await owner.open(`${path}/usage`);
    expect(page.html.match(/<svg/g)).toHaveLength(4);
    expect(page.html.match(/<rect/g)).toHaveLength(1);
    expect(page.text).toContain('1 in 30 days, peak on');
    expect(page.html.match(/<tr/g)).toHaveLength(1 + 30 + 1 + 7);
    expect(page.text).toContain('24,000 per minute');
    expect(page.text).toContain('The service runs 2 processes. Each process allows an equal share');
    expect(page.text).toContain('user-reads 6,000 per minute');
    expect(page.text).toContain('check-username 600 per minute');
    for (const sub of ['usage', 'history']) expect((await stranger.open(`${path}/${sub}`)).status).toBe(404);
    expect((await owner.open('/developer')).text).toMatch(
      new RegExp(`No one has authorized this application yet · last used .*${clientId}`),
    );
  });
});

describe('pausing', () => {
  test('revokes tokens and issues none until it is resumed; consents and secrets stay', async () => {
    const { clientId } = application;
    expect(await status()).toBe(200);
    const epochs = async () =>
      await auth.db.prisma.revocation.findMany({ where: { kind: 'client', id: clientId }, select: { epoch: true } });
    const paused = await press('pause-application');
    expect(paused.text).toContain('Application paused.');
    expect([await status(), await epochs()]).toEqual([401, [{ epoch: null }]]);
    expect((await owner.open('/developer')).text).toContain('Paused');
    // A suspension by an operator is separate and stays when the owner resumes.
    await createApplications(auth.db).suspend(clientId);
    await press('resume-application');
    expect(await status()).toBe(401);
    await createApplications(auth.db).restore(clientId);
    await expect.poll(status).toBe(200);
    const [{ epoch } = { epoch: null }] = await epochs();
    expect(epoch).toBeGreaterThan(0);
    const { text } = await owner.open(`${application.path}/history`);
    expect(text).toMatch(/Suspension lifted .*Resumed .* you.*Suspended .*Paused .* you.*Created/);
  });
});

test('shows the consequences before the deletion is confirmed', async () => {
  expect((await owner.open(application.path)).text).toContain('No one is connected. It has never been used.');
  const usage = bufferApplicationUsage(auth.db);
  for (let call = 0; call < 1200; call += 1) usage.call(application.clientId, { isError: false });
  await usage.flush();
  const { text } = await owner.open(application.path);
  expect(text).toContain(
    'In the last 7 days it received 0 tokens and made 1,200 API requests. These requests will fail immediately.',
  );
});

test('the page lists requests by endpoint, and its owner can download them as CSV', async () => {
  const { clientId, path } = application;
  expect((await owner.open(`${path}/usage`)).text).toContain('No API requests yet');
  const usage = bufferEndpointUsage(auth.db);
  for (let call = 0; call < 3; call += 1) usage.call(clientId, 'GET /api/v2.0/post', 200);
  usage.call(clientId, 'POST /api/v2.0/post/create', 422);
  usage.call(clientId, 'POST /api/v2.0/post/create', 503);
  await usage.flush();
  const page = await owner.open(`${path}/usage`);
  expect(page.text).toMatch(/GET \/api\/v2\.0\/post 3 0 0 POST \/api\/v2\.0\/post\/create 0 1 1/);
  const file = await owner.open(page.link('Download CSV'), page);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="app_[\w-]+-usage-\d{4}-\d\d-\d\d\.csv"$/);
  expect(file.headers['cache-control']).toBe('no-store');
  const lines = file.html.split('\r\n').map((line) => line.replace(/^\d{4}-\d\d-\d\d/, 'day'));
  expect(lines).toEqual([
    'day,method,path,succeeded_2xx_3xx,rejected_4xx,failed_5xx',
    'day,GET,/api/v2.0/post,3,0,0',
    'day,POST,/api/v2.0/post/create,0,1,1',
    '',
  ]);
  expect((await stranger.open(`${path}/usage.csv`)).status).toBe(404);
});

test('an owner watches successful requests for ten minutes, or stops; nobody else can', async () => {
  const activity = `${application.path}/activity`;
  await status();
  await auth.runJob('usage');
  const page = await owner.open(activity);
  expect(page.text).toContain('No successful requests were watched in the last hour.');
  const form = page.formOf('watch');
  expect((await stranger.submit(page, form)).status).toBeGreaterThanOrEqual(403);
  expect((await owner.open(activity)).text).not.toContain('Watching until');
  expect((await owner.submit(page, form)).text).toMatch(/Watching until .* No successful requests yet/);
  await status();
  await tokenOf(auth, application.clientId, 'a wrong secret');
  await auth.runJob('usage');
  const watched = await owner.open(activity);
  expect(watched.text.match(/POST \/oauth\/token · [0-9a-f-]{36}/g)).toHaveLength(1);
  await owner.submit(watched, watched.formOf('unwatch'));
  await status();
  await auth.runJob('usage');
  const stopped = await owner.open(activity);
  expect(stopped.text).not.toContain('Watching until');
  expect(stopped.text.match(/POST \/oauth\/token · [0-9a-f-]{36}/g)).toHaveLength(1);
});

test('the overview shows the last use, failed requests with a link to their causes, and guides that fit', async () => {
  const { clientId, path } = application;
  const before = await owner.open(path);
  expect(before.text).toMatch(/Last used never used Failed requests 0 in the last 24 hours/);
  const failure = { clientId, kind: 'api', cause: undefined, details: {}, requestId: undefined } as const;
  const recorded = { ...failure, endpoint: '/api/v2.0/post', error: 'not-found', reason: '', status: 404 };
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await insertFailures(
    auth.db,
    [1, 2, 25].map((hours) => ({ ...recorded, details: { parameters: [String(hours)] }, at: ago(hours) })),
  );
  await status();
  await auth.runJob('usage');
  const page = await owner.open(path);
  expect(page.text).toMatch(
    /Last used [A-Z][a-z]+ \d.* Failed requests 2 in the last 24 hours, repeats not counted · Why requests failed/,
  );
  const causes = await owner.open(page.link('Why requests failed'), page);
  expect(causes.html.match(/api\/v2\.0\/post</g)).toHaveLength(3);
  expect((await owner.open(page.link('Sign people in'), page)).title).toContain('Sign people in');
  expect(page.text).not.toContain('Bind tokens to a key');
});
