// `linnet registration`, as an operator runs it.
import { createAccounts } from '@linnet/accounts/accounts';
import { createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';
import { createRegistrar } from '@linnet/accounts/registrations/registrar';
import { decideRequests, findRequestId } from '@linnet/accounts/registrations/request-store';
import { createApplications } from '@linnet/applications/applications';
import { run } from '@linnet/test/cli/run';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

const cleanup = new AsyncDisposableStack();
let db: Db;
/** Of registrations that no block is about. */
const origin = { clientId: null, address: '', mark: undefined, mustWait: false };
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  const registrar = createRegistrar({ db, mode: 'approval', mayPeopleInvite: false, rules: { serviceName: 'linnet' } });
  for (const username of ['carla', 'carlos', 'dorothea']) {
    const registration = {
      firstName: 'Ada',
      lastName: 'Byron',
      username,
      email: `${username}@example.org`,
      password: '-',
    };
    await registrar.registerWithin(db, { registration, reason: 'Birds', ...origin }, '-');
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function linnet(...args: readonly string[]) {
  const { status, stdout } = await run('registration', ...args, '--json');
  return { status, document: JSON.parse(stdout) };
}
const waiting = async () =>
  (await linnet('list')).document.map(({ username }: { readonly username: string }) => username);
const why = ['--reason', 'Ticket 4711'] as const;

test('lists, approves and refuses several at once, or none of them', async () => {
  expect((await linnet('list', '--limit', '1')).document).toMatchObject([
    { username: 'carla', name: 'Ada Byron', email: 'carla@example.org', reason: 'Birds', client_id: null },
  ]);
  const unknown = await linnet('approve', 'carla', 'nobody', ...why);
  expect([unknown.status, unknown.document.error.code]).toEqual([1, 'registration-not-found']);
  expect(await waiting()).toEqual(['carla', 'carlos', 'dorothea']);
  expect(await linnet('approve', 'CARLA', 'carlos', ...why)).toEqual({ status: 0, document: { ok: true } });
  expect(await linnet('refuse', 'dorothea', ...why)).toEqual({ status: 0, document: { ok: true } });
  expect(await waiting()).toEqual([]);
  const events = await db.prisma.auditEvent.findMany({ where: { event: 'registration.approved' } });
  expect(events).toMatchObject([1, 2].map(() => ({ actor: 'operator', detail: { reason: 'Ticket 4711' } })));
  expect((await createAccounts(db).findByUsername('carla'))?.emailVerifiedAt).toBeNull();
});

test('an account that took the address in the meantime', async () => {
  const registrar = createRegistrar({ db, mode: 'approval', mayPeopleInvite: false, rules: { serviceName: 'linnet' } });
  const registration = {
    firstName: 'Eve',
    lastName: 'Byron',
    username: 'evelyn',
    email: 'eve@example.org',
    password: '-',
  };
  await registrar.registerWithin(db, { registration, reason: '', ...origin }, '-');
  await db.prisma.account.update({
    where: { usernameCi: 'carla' },
    data: { email: 'eve@example.org', emailCi: 'eve@example.org' },
  });
  const { status, document } = await linnet('approve', 'evelyn', ...why);
  expect([status, document.error.code]).toEqual([1, 'registration-taken']);
  expect(await waiting()).toEqual(['evelyn']);
});

test('a request that is approved and declined many times at once is decided once, and a name has one owner', async () => {
  const registrar = createRegistrar({ db, mode: 'approval', mayPeopleInvite: false, rules: { serviceName: 'linnet' } });
  const open = createRegistrar({ db, mode: 'open', mayPeopleInvite: false, rules: { serviceName: 'linnet' } });
  for (let round = 0; round < 10; round += 1) {
    const username = `racer_${String(round)}`;
    const person = { firstName: 'Ada', lastName: 'Byron', email: `${username}@example.org`, password: '-' };
    const attempt = { registration: { ...person, username }, reason: '', ...origin };
    const both = await Promise.allSettled([
      registrar.registerWithin(db, attempt, '-'),
      open.registerWithin(
        db,
        { ...attempt, registration: { ...attempt.registration, email: `o${person.email}` } },
        '-',
      ),
    ]);
    const errors = both.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ name: 'AccountTaken' })));
    const id = await findRequestId(db, username);
    const decide = async (decision: 'approved' | 'refused') =>
      id === undefined
        ? { done: [] }
        : await db.transaction(async (tx) => await decideRequests(tx, [id], { decision }));
    const decided = await Promise.all(
      (['approved', 'refused', 'approved', 'refused'] as const).map(async (decision) => await decide(decision)),
    );
    expect(decided.flatMap(({ done }) => done)).toHaveLength(id === undefined ? 0 : 1);
    expect(await db.prisma.account.count({ where: { usernameCi: username } })).toBeLessThanOrEqual(1);
  }
});

test.each([
  ['1000', 1000],
  ['0', 0],
  ['default', null],
])('app limit-registrations %s', async (given, expected) => {
  const { clientId } = await createApplications(db).create({
    owner: 'carla',
    name: `Limited ${given}`,
    type: 'confidential',
    redirectUris: [],
    scopes: ['users'],
    actAsOwner: false,
  });
  await db.prisma.application.update({ where: { clientId }, data: { registrationsPerHour: 7 } });
  expect((await run('app', 'limit-registrations', clientId, given)).status).toBe(0);
  const row = await db.prisma.application.findUniqueOrThrow({ where: { clientId } });
  expect(row.registrationsPerHour).toBe(expected);
  const [event] = await db.prisma.auditEvent.findMany({ where: { clientId }, orderBy: { id: 'desc' }, take: 1 });
  expect(event).toMatchObject({ event: 'application.registrations_limited', detail: { per_hour: expected } });
});

test.each([
  ['nobody', '1', 'application-not-found'],
  ['nobody', '-1', 'usage'],
  ['nobody', '1e3', 'usage'],
])('app limit-registrations %s %s', async (clientId, given, code) => {
  const { status, stdout } = await run('app', 'limit-registrations', clientId, given, '--json');
  expect([status, JSON.parse(stdout).error.code]).toEqual([1, code]);
});

test('invitations are created, listed without their code, and deleted', async () => {
  const invitation = async (...args: readonly string[]) => {
    const { status, stdout } = await run('invitation', ...args, '--json');
    return { status, document: JSON.parse(stdout) };
  };
  const { document } = await invitation('create', '--uses', '3', '--days', '7', '--note', 'Club');
  expect(document.link).toBe(`http://localhost:3000/register?invitation=${String(document.code)}`);
  const listed = (await invitation('list')).document;
  expect(listed).toMatchObject([{ id: document.id, owner: null, note: 'Club', uses: 0, max_uses: 3 }]);
  expect(JSON.stringify(listed)).not.toContain(document.code);
  expect((await invitation('delete', String(document.id))).status).toBe(0);
  expect((await invitation('delete', String(document.id))).document.error.code).toBe('invitation-not-found');
  expect((await invitation('create', '--note', 'x'.repeat(201))).document.error.code).toBe('invalid-note');
});

test('D198: an invitation shows the person who made it, and an account who invited it and how many it invited', async () => {
  const carla = await createAccounts(db).findByUsername('carla');
  const limits = { note: 'Club', maxUses: 2, days: 7 };
  const made = await createPersonalInvitation(db, carla?.id ?? 0, limits);
  const registrar = createRegistrar({
    db,
    mode: 'invitation',
    mayPeopleInvite: true,
    rules: { serviceName: 'linnet' },
  });
  const person = { firstName: 'Ada', lastName: 'Byron', username: 'invited', email: 'i@example.org', password: '-' };
  const attempt = { registration: person, reason: '', invitation: made?.code, ...origin };
  await registrar.registerWithin(db, attempt, '-');
  const show = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout);
  expect(await show('invitation', 'list')).toMatchObject([{ id: made?.id, owner: 'carla', note: 'Club', uses: 1 }]);
  expect(await show('user', 'show', 'invited')).toMatchObject({ invited_by: 'carla' });
  expect(await show('user', 'show', 'carla')).toMatchObject({ invited: 1 });
});
