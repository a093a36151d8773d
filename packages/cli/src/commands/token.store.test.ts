// `linnet token end`, as an operator runs it. What ends for each kind of access is in test/security/remedies.test.ts.
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

const reason = ['--reason', 'restored a backup'];

async function end(...args: readonly string[]) {
  const { status, stdout, stderr } = await run('token', 'end', ...args, '--json');
  expect(stderr).toBe('');
  return { status, document: JSON.parse(stdout) };
}

async function signedIn(username: string): Promise<Browser> {
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, username));
  return browser;
}

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).url.pathname === '/account';

/** A moment after everything so far, in a second of its own, because sign-ins are known to the second. */
async function nextSecond(): Promise<string> {
  const moment = Math.floor(Date.now() / 1000) * 1000 + 1000;
  await expect.poll(() => Date.now() > moment, { interval: 20 }).toBe(true);
  return new Date(moment).toISOString();
}

const epochsOf = async () => await auth.db.prisma.account.findMany({ select: { epoch: true }, orderBy: { id: 'asc' } });

test('what was issued before the moment ends; sessions and consents since then stay', async () => {
  const [early, both] = [await signedIn('early_person'), await signedIn('person_in_both')];
  const [old, kept] = [await connect(auth, both), await connect(auth, early)];
  const moment = await nextSecond();
  const late = createBrowser(auth);
  await signIn(late, await registerPerson(auth.db, 'late_person'));
  const later = await connect(auth, late);

  const { status, document } = await end('--issued-before', moment, '--user', 'person_in_both', ...reason);
  expect({ status, document }).toEqual({
    status: 0,
    document: { accounts: 1, applications: 0, consents: 1, pending_requests: 0, playground_runs: 0 },
  });
  expect(await Promise.all([early, both, late].map(isSignedIn))).toEqual([true, false, true]);
  expect((await old.refresh(old.refreshToken)).status).toBe(400);
  const { json, status: stays } = await kept.refresh(kept.refreshToken);
  expect(stays).toBe(200);

  const all = await end('--issued-before', moment, ...reason);
  expect(all.document).toMatchObject({ consents: 1 });
  expect(await Promise.all([early, late].map(isSignedIn))).toEqual([false, true]);
  expect((await kept.refresh(String(json['refresh_token']))).status).toBe(400);
  expect((await later.refresh(later.refreshToken)).status).toBe(200);
});

test('one account at one application: only that consent ends', async () => {
  const [browser, other] = [await signedIn('reads'), await signedIn('writes')];
  const app = await connect(auth, browser);
  const second = await connect(auth, browser);
  const others = await connect(auth, other);
  const ended = await end('--issued-before', 'now', '--user', 'reads', '--application', app.clientId, ...reason);
  expect(ended.document).toEqual({
    ...{ accounts: 0, applications: 0, consents: 1, pending_requests: 0, playground_runs: 0 },
  });
  expect((await app.refresh(app.refreshToken)).status).toBe(400);
  for (const one of [second, others]) expect((await one.refresh(one.refreshToken)).status).toBe(200);
  expect(await isSignedIn(browser)).toBe(true);
});

test('epochs exceed those of a lost database, and each run raises them again', async () => {
  await signedIn('restored');
  await end('--issued-before', 'now', ...reason);
  const first = await epochsOf();
  const minutes = Math.floor(Date.now() / 60_000);
  expect(first.every(({ epoch }) => epoch >= minutes - 1)).toBe(true);
  await end('--issued-before', 'now', ...reason);
  const second = await epochsOf();
  expect(second.every(({ epoch }, index) => epoch > (first[index]?.epoch ?? 0))).toBe(true);
});

test('ends more rows than one step takes', async () => {
  const { db } = auth;
  await db.prisma.$executeRawUnsafe(
    `INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
     SELECT n, n, n || '@example.org', n || '@example.org', '-', 'A', 'B', 'A B'
       FROM (SELECT 'many_' || number AS n FROM generate_series(1, 520) AS number) AS names`,
  );
  const app = await connect(auth, await signedIn('first_of_many'));
  await db.prisma.$executeRawUnsafe(
    `INSERT INTO "grant" (id, account_id, client_id, kind, scopes, payload)
     SELECT 'grant_of_' || username, id, $1, 'consent', '{users}', '{}' FROM account WHERE username LIKE 'many\\_%'`,
    app.clientId,
  );
  const { document } = await end('--issued-before', 'now', ...reason);
  expect(document.consents).toBe(521);
  expect(await db.prisma.grant.count({ where: { kind: 'consent', revokedAt: null } })).toBe(0);
  expect(document.accounts).toBe(await db.prisma.account.count());
  expect(document.applications).toBe(await db.prisma.application.count());
});

test('the audit log says what was ended and why, before it says what ended', async () => {
  await signedIn('audited');
  const ended = await end('--issued-before', '2027-01-31T12:00:00+01:00', '--user', 'audited', ...reason).catch(
    () => undefined,
  );
  expect(ended?.status).toBe(1); // in the future
  await end('--issued-before', 'now', '--user', 'audited', ...reason);
  const { id } = await auth.db.prisma.account.findUniqueOrThrow({ where: { usernameCi: 'audited' } });
  const events = await auth.db.prisma.auditEvent.findMany({ where: { accountId: id }, orderBy: { id: 'asc' } });
  const actions = events.filter(({ actor }) => actor === 'operator');
  expect(actions.map(({ event }) => event).slice(0, 2)).toEqual(['access.ended', 'account.signed_out_everywhere']);
  expect(actions[0]?.detail).toEqual({ issued_before: expect.stringMatching(/^\d{4}-/), reason: 'restored a backup' });
});

test.each([
  ['a time without a zone', ['--issued-before', '2026-01-01T00:00:00', ...reason], 'usage'],
  ['a date', ['--issued-before', '2026-01-01', ...reason], 'usage'],
  ['a day that does not exist', ['--issued-before', '2026-02-31T00:00:00Z', ...reason], 'usage'],
  ['a time in the future', ['--issued-before', '2999-01-01T00:00:00Z', ...reason], 'usage'],
  ['no time', reason, 'usage'],
  ['no reason', ['--issued-before', 'now'], 'usage'],
  ['an empty reason', ['--issued-before', 'now', '--reason', ' '], 'usage'],
  ['a long reason', ['--issued-before', 'now', '--reason', 'x'.repeat(201)], 'usage'],
  ['an unknown account', ['--issued-before', 'now', '--user', 'nobody', ...reason], 'account-not-found'],
  ['an unknown application', ['--issued-before', 'now', '--application', 'app_x', ...reason], 'application-not-found'],
])('%s is rejected and ends nothing', async (_name, args, code) => {
  const before = await epochsOf();
  expect(await end(...args)).toMatchObject({ status: 1, document: { error: { code } } });
  expect(await epochsOf()).toEqual(before);
});
