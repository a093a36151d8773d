// D196: every act of the admin API can be repeated with its Idempotency-Key.
import { insertRequest } from '@linnet/accounts/registrations/request-store';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { adminRoutes } from '@linnet/contract/admin/admin-routes';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import { registerAdminProgram, registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let robot: CreatedApplication;
let token: string;

async function startToken(application: CreatedApplication): Promise<string> {
  const { clientId, clientSecret = '' } = application;
  const asked = { grant_type: 'client_credentials', scope: 'admin:read admin:write' };
  return (await auth.requestToken(asked, basic(clientId, clientSecret))).json.access_token;
}

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  robot = await registerAdminProgram(auth, await registerOperator(auth, 'operator_olga'));
  token = await startToken(robot);
});
afterAll(() => cleanup.disposeAsync());

type Input = Readonly<Record<string, unknown>>;

let subjects = 0;
const name = () => `subject_${String((subjects += 1))}`;

const account = async (data = {}) => {
  const id = await insertAccount(auth.db, name());
  await auth.db.prisma.account.update({ where: { id: BigInt(id) }, data });
  return { id };
};

async function request(): Promise<Input> {
  const username = name();
  const row = await insertRequest({ reason: 'Friends', clientId: null })(auth.db, {
    ...{ username, email: `${username}@example.org`, passwordHash: 'x', firstName: 'A', lastName: 'B' },
    displayName: 'A B',
  });
  return { ids: [row?.id ?? 0] };
}

async function openCase(): Promise<Input> {
  const { id: accountId } = await account();
  const subject = { subjectType: 'account', subjectId: BigInt(accountId), accountId: BigInt(accountId) } as const;
  const id = BigInt(1000 + accountId);
  await auth.db.prisma.reportCase.create({ data: { id, ...subject, reportsCount: 1, latestAt: new Date() } });
  const text = { reason: 'spam', content: 'Reported', text: '' } as const;
  await auth.db.prisma.report.create({ data: { caseId: id, reporterId: BigInt((await account()).id), ...text } });
  return { id: Number(id), outcome: 'suspended' };
}

async function ownApplication(isSuspended = false): Promise<Input> {
  const { clientId } = await auth.register();
  if (isSuspended) await send('/applications/suspend', { client_id: clientId });
  return { client_id: clientId };
}

/** What each act is about: something new. */
const inputs: Readonly<Record<string, () => Promise<Input>>> = {
  '/accounts/suspend': async () => await account(),
  '/accounts/limit': async () => await account(),
  '/accounts/unlimit': async () => await account({ limitedAt: new Date() }),
  '/accounts/restore': async () => await account({ suspendedAt: new Date() }),
  '/accounts/delete': async () => await account(),
  '/accounts/sessions/end': async () => {
    const { id } = await registerWithApp(auth, name());
    const session = await auth.db.prisma.session.findFirst({ where: { accountId: BigInt(id) } });
    return { id, uid: session?.uid };
  },
  '/accounts/grants/end': async () => {
    const { id } = await account();
    const { clientId } = await auth.register();
    const grant = { id: name(), accountId: BigInt(id), clientId, kind: 'consent' as const, scopes: ['users'] };
    await auth.db.prisma.grant.create({ data: grant });
    return { id, client_id: clientId };
  },
  '/registrations/approve': request,
  '/registrations/decline': request,
  '/blocks/add': async () => await Promise.resolve({ kind: 'word', value: name() }),
  '/blocks/remove': async () => {
    const { id } = (await send('/blocks/add', { kind: 'word', value: name() })).json;
    return { id };
  },
  '/invitations/create': async () => await Promise.resolve({ note: name() }),
  '/invitations/revoke': async () => ({ id: (await send('/invitations/create', {})).json['id'] }),
  '/reports/resolve': openCase,
  '/applications/suspend': async () => await ownApplication(),
  '/applications/restore': async () => await ownApplication(true),
  '/keys/rotate': async () => await Promise.resolve({ alg: 'ES256' }),
  '/keys/revoke': async () => {
    const { items } = (await send('/keys/rotate', { alg: 'ES256' })).json;
    return { kid: (items as readonly { kid: string; state: string }[]).findLast((one) => one.state === 'next')?.kid };
  },
};

interface Sent {
  readonly key?: string | undefined;
  readonly bearer?: string;
}

async function send(path: string, input: Input, { key, bearer = token }: Sent = {}): Promise<Answer> {
  const headers = {
    ...{ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const body = JSON.stringify({ reason: 'Ticket 4711', ...input });
  return await auth.send({ method: 'POST', path: adminApiPath + path, headers, body });
}

const outcome = ({ status, headers }: Answer) => [status, headers['idempotency-replayed']];
const countActs = async (reason: string) =>
  await auth.db.prisma.auditEvent.count({ where: { detail: { path: ['reason'], equals: reason } } });

const writes = adminRoutes.filter((route) => methodOf(route) === 'POST').map(({ path }) => path);

test('the table has every act', () => {
  expect(Object.keys(inputs).toSorted()).toEqual(writes.toSorted());
});

async function expectOnce(path: string, create: () => Promise<Input>): Promise<void> {
  const input = { ...(await create()), reason: crypto.randomUUID() };
  const key = crypto.randomUUID();
  const answers = await Promise.all([send(path, input, { key }), send(path, input, { key })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ headers }) => headers['idempotency-replayed']))).toEqual(new Set([undefined, 'true']));
  const again = await send(path, Object.fromEntries(Object.entries(input).toReversed()), { key });
  expect(outcome(again)).toEqual([200, 'true']);
  expect(answers.map(({ text }) => text)).toEqual([again.text, again.text]);
  const other = { ...input, reason: crypto.randomUUID() };
  expect(await send(path, other, { key })).toMatchObject({ status: 422, json: { code: 'idempotency-key-reused' } });
  const alone = { ...(await create()), reason: crypto.randomUUID() };
  expect(outcome(await send(path, alone))).toEqual([200, undefined]);
  const acts = await countActs(alone.reason);
  expect(acts).toBeGreaterThan(0);
  expect([await countActs(input.reason), await countActs(other.reason)]).toEqual([acts, 0]);
}

test.each(Object.entries(inputs))('D196: %s with a key acts once, also if sent twice at the same time', expectOnce);

test('D196: so does an act with a part before it', async () => {
  await expectOnce('/reports/resolve', async () => ({ ...(await openCase()), delete_posts: true }));
});

describe('a key', () => {
  test.each([' ', 'x'.repeat(256), 'clé', 'a\tb'])('%j is malformed: 400', async (key) => {
    const reason = crypto.randomUUID();
    const answer = await send('/invitations/create', { reason }, { key });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ parameter: 'Idempotency-Key' }] } });
    expect(await countActs(reason)).toBe(0);
  });

  test('of an act that was refused can be used again', async () => {
    const { id } = await account();
    const key = crypto.randomUUID();
    expect((await send('/accounts/restore', { id }, { key })).status).toBe(409);
    await send('/accounts/suspend', { id });
    expect(outcome(await send('/accounts/restore', { id }, { key }))).toEqual([200, undefined]);
  });

  test('belongs to one application and one endpoint, and does nothing on a read', async () => {
    const key = crypto.randomUUID();
    const other = await registerAdminProgram(auth, await registerOperator(auth, 'operator_otto'));
    const bearer = await startToken(other);
    const answers = [
      await send('/invitations/create', { note: 'x' }, { key }),
      await send('/invitations/create', { note: 'x' }, { key, bearer }),
      await send('/blocks/add', { kind: 'word', value: name() }, { key }),
    ];
    expect(answers.map(outcome)).toEqual(answers.map(() => [200, undefined]));
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'clé' };
    expect((await auth.send({ path: `${adminApiPath}/blocks`, headers })).status).toBe(200);
  });
});
