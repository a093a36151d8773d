// Changes to accounts, applications, consents, sessions and keys are recorded in the audit log (checklist LG2).
import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { createApplications } from '@linnet/applications/applications';
import { createMyApplications } from '@linnet/applications/my-applications';
import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { findLastAuditEvents } from '@linnet/audit/audit-store';

let database: TestDatabase;
let auth: RunningAuth;
let operator: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  auth = await startAuth(database.url);
  operator = openDatabase({ url: database.url, poolSize: 1, prepare: true, actor: 'operator' });
});

afterAll(async () => {
  await operator[Symbol.asyncDispose]();
  await auth[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The events of an account or an application, as `actor event`. */
async function eventsOf(of: { readonly accountId?: number; readonly clientId?: string }): Promise<readonly string[]> {
  const events = await findLastAuditEvents(auth.db, 1000);
  return events
    .filter(({ accountId, clientId }) =>
      of.clientId === undefined ? accountId === of.accountId : clientId === of.clientId,
    )
    .map(({ actor, event }) => `${actor} ${event}`);
}

test('records changes to an account by its owner and by operators', async () => {
  const { id, username, password } = await registerPerson(auth.db, 'audited_one');
  const own = createAccounts(auth.db);
  const operated = createAccounts(operator);
  await own.rename({ accountId: id, username: 'audited_two' });
  await own.rename({ accountId: id, username });
  await own.updateProfile({ accountId: id, isProtected: true });
  await own.changePassword({ accountId: id, current: password, next: 'another password' });
  await own.endSessions(id);
  await operated.setVerified(username, true);
  await operated.setVerified(username, true);
  await operated.setVerified(username, false);
  await operated.suspend(username);
  await operated.restore(username);
  await operated.setPassword({ username, password: 'a third password' });
  const epoch = await auth.db.prisma.account.findUniqueOrThrow({ where: { id }, select: { epoch: true } });
  await own.delete({ accountId: id, ...epoch });
  await operated.restore(username);
  expect(await eventsOf({ accountId: id })).toEqual([
    'person account.registered',
    'person account.renamed',
    'person account.renamed',
    'person account.protected',
    'person account.password_changed',
    'person account.signed_out_everywhere',
    'operator account.verified',
    'operator account.unverified',
    'operator account.suspended',
    'operator account.unsuspended',
    'operator account.password_changed',
    'person account.deleted',
    'operator account.restored',
  ]);
});

test('records an unknown actor for connections that name none, and nothing for a rollback', async () => {
  const id = (await registerPerson(auth.db, 'audited_six')).id;
  await operator.prisma.$executeRaw`SELECT set_config('linnet.actor', '', false)`;
  await operator.prisma.account.update({ where: { id }, data: { verified: true } });
  await operator.prisma.$executeRaw`SELECT set_config('linnet.actor', 'operator', false)`;
  const undone = operator.transaction(async (tx) => {
    await createAccounts(operator).rename({ accountId: id, username: 'audited_ten' }, tx);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await eventsOf({ accountId: id })).toEqual(['person account.registered', 'unknown account.verified']);
});

test('records changes to an application and its secrets', async () => {
  const mine = createMyApplications(auth.db, () => Promise.resolve());
  const { clientId } = await createApplications(operator).create({
    owner: 'owner_of_all',
    name: 'Audited',
    type: 'confidential',
    redirectUris: [],
    scopes: ['users'],
    actAsOwner: false,
  });
  const own = { ownerId: auth.ownerId, clientId };
  await mine.addSecret({ ...own, submissionId: 'one' });
  const [first] = (await mine.find(own))?.secrets ?? [];
  await mine.retireSecret({ ...own, secretId: first?.id ?? '', evenIfLast: true });
  const application = await mine.find(own);
  if (application === undefined) throw new Error('no application');
  await mine.edit(application, { ...application, protocol: {}, name: 'Renamed', ownerId: auth.ownerId });
  await createApplications(operator).suspend(clientId);
  await createApplications(operator).restore(clientId);
  await mine.delete(own);
  const [one, two, ...later] = await eventsOf({ clientId });
  // One statement writes both, in no particular order.
  expect(new Set([one, two])).toEqual(new Set(['operator application.created', 'operator secret.added']));
  expect(later).toEqual([
    'person secret.added',
    'person secret.retired',
    'person application.changed',
    'operator application.suspended',
    'operator application.unsuspended',
    'person application.deleted',
  ]);
});

test('records sign-ins, failed sign-ins, and consents that were given, denied and revoked', async () => {
  const person = await registerPerson(auth.db, 'audited_three');
  const browser = createBrowser(auth);
  await signIn(browser, { ...person, password: 'not this one' });
  await signIn(browser, person);
  const app = await connect(auth, browser);
  const asked = await app.send(browser, { prompt: 'consent' });
  await browser.submit(asked, asked.formWith('decision', 'deny'), { decision: 'deny' });
  await vi.waitFor(async () => {
    expect((await eventsOf(app)).slice(2)).toEqual(['person consent.given', 'person consent.refused']);
  }, 50_000);
  expect(await eventsOf({ accountId: person.id })).toContain('person session.begun');
  const events = await findLastAuditEvents(auth.db, 1000);
  const refused = events.find(({ event }) => event === 'session.refused');
  expect(refused).toMatchObject({ actor: 'person', detail: { reason: 'credentials' }, requestId: expect.any(String) });
});

test('a flood of refused sign-ins, most of them answered 429, adds a handful of events with their number', async () => {
  const refused = async () => await auth.db.prisma.auditEvent.findMany({ where: { event: 'session.refused' } });
  const open = async () => await auth.db.prisma.auditRepeat.findMany({ where: { event: 'session.refused' } });
  const before = (await refused()).length;
  const countAll = async () =>
    (await open()).reduce((sum, { repeats }) => sum + Number(repeats), 0) + (await refused()).length - before;
  const earlier = await countAll();
  const browser = createBrowser(auth);
  const page = await browser.open('/login');
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const values = { login: 'flooded_person', password: `guess ${String(attempt)}` };
    statuses.add((await browser.submitOnly(page, page.formWith('login'), values)).status);
  }
  expect(statuses).toEqual(new Set([422, 429]));
  await vi.waitFor(async () => expect(await countAll()).toBe(earlier + 60), 50_000);
  await auth.db.prisma.auditRepeat.updateMany({ data: { endsAt: new Date(0) } });
  await auth.runJob('audit-repeats');
  expect((await refused()).length - before).toBeLessThanOrEqual(4);
});

test.each(['code', 'refresh token'])(
  'records the reuse of a %s and the end of the authorization that it causes',
  async (what) => {
    const person = await registerPerson(auth.db, what === 'code' ? 'audited_four' : 'audited_five');
    const browser = createBrowser(auth);
    await signIn(browser, person);
    const app = await connect(auth, browser);
    if (what === 'code') {
      const callback = await app.authorize(browser);
      const { json } = await app.exchange(callback);
      await app.refresh(String(json['refresh_token']));
      await app.exchange(callback);
    } else {
      const { json } = await app.refresh(app.refreshToken);
      await app.refresh(String(json['refresh_token']));
      await app.refresh(app.refreshToken);
    }
    await vi.waitFor(async () => {
      const events = await eventsOf(app);
      expect(events).toContain(what === 'code' ? 'application code.replayed' : 'application token.reused');
      expect(events.some((event) => event.endsWith('authorization.ended'))).toBe(true);
    }, 50_000);
  },
);

test('records a revoked token only for the application that owns it', async () => {
  const { clientId, clientSecret } = await auth.register();
  const other = await auth.register();
  const { json } = await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
  const revoke = async (by: { readonly clientId: string; readonly clientSecret?: string | undefined }) =>
    await auth.send({
      method: 'POST',
      path: '/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(by.clientId, by.clientSecret) },
      body: `token=${json.access_token}`,
    });
  await revoke(other);
  await revoke({ clientId, clientSecret });
  await vi.waitFor(async () => {
    expect(await eventsOf({ clientId })).toContain('application token.revoked');
  }, 50_000);
  expect(await eventsOf(other)).not.toContain('application token.revoked');
});

test('records signing keys with the service as their actor', async () => {
  const events = await findLastAuditEvents(auth.db, 1000);
  const keys = events.filter(({ event }) => event.startsWith('key.'));
  expect(new Set(keys.map(({ actor, event }) => `${actor} ${event}`))).toEqual(
    new Set(['service key.current', 'service key.next']),
  );
});

test.each(['UPDATE audit_event SET actor = actor', 'DELETE FROM audit_event', 'TRUNCATE audit_event'])(
  'an event cannot be changed or deleted: %s',
  async (sql) => {
    const before = await findLastAuditEvents(auth.db, 1000);
    await expect(operator.prisma.$executeRawUnsafe(sql)).rejects.toThrow('only ever added');
    expect(await findLastAuditEvents(auth.db, 1000)).toEqual(before);
  },
);
