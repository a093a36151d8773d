// The admin API: every endpoint refuses who may not, answers as its row says, and records what it does.
import { createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';
import { grantOperator, revokeOperator } from '@linnet/accounts/operators/role-store';
import { blockFieldRules } from '@linnet/accounts/registrations/block';
import { insertRequest } from '@linnet/accounts/registrations/request-store';
import { allowAdmin } from '@linnet/applications/application/operator-changes-store';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { adminRoutes } from '@linnet/contract/admin/admin-routes';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import type { AdminRoute } from '@linnet/contract/admin/admin-route';
import { problemSchema } from '@linnet/contract/openapi/problem-schema';
import { registerAdminProgram, registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let ada: PersonWithApp;
let robot: CreatedApplication;
let token: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  ada = await registerWithApp(auth, 'ada_lovelace');
  robot = await registerAdminProgram(auth, olga);
  token = await getToken(robot);
});
afterAll(() => cleanup.disposeAsync());

async function requestScope({ clientId, clientSecret = '' }: CreatedApplication, scope: string): Promise<Answer> {
  return await auth.requestToken({ grant_type: 'client_credentials', scope }, basic(clientId, clientSecret));
}

async function getToken(application: CreatedApplication, scope = 'admin:read admin:write'): Promise<string> {
  const answer = await requestScope(application, scope);
  expect(answer.status).toBe(200);
  return answer.json.access_token;
}

type Input = Readonly<Record<string, unknown>>;

interface Sent {
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
}

async function call(path: string, input: Input = {}, sent: Sent = {}): Promise<Answer> {
  const route = adminRoutes.find((one) => one.path === path);
  const method = sent.method ?? (route === undefined ? 'GET' : methodOf(route));
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const isRead = ['GET', 'HEAD'].includes(method);
  const bearer = 'bearer' in sent ? sent.bearer : token;
  const headers = {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(isRead ? {} : { 'content-type': 'application/json' }),
    ...sent.headers,
  };
  return isRead
    ? await auth.send({ method, path: `${adminApiPath}${path}?${query.toString()}`, headers })
    : await auth.send({ method, path: adminApiPath + path, headers, body: sent.body ?? JSON.stringify(input) });
}

const act = async (path: string, input: Input, sent: Sent = {}) =>
  await call(path, { reason: 'Ticket 4711', ...input }, sent);

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer).toMatchObject({ status, json: { code } });
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(problemSchema.safeParse(answer.json).error).toBeUndefined();
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
}

describe.each(adminRoutes.map((route) => [route.path, route] as const))('%s', (path, route: AdminRoute) => {
  test('needs a token', async () => {
    const answer = await call(path, {}, { bearer: undefined });
    expectProblem(answer, 401, 'token-required');
    expect(answer.headers['www-authenticate']).toContain('DPoP');
    expectProblem(await call(path, {}, { bearer: 'x' }), 401, 'invalid_token');
  });

  test('needs its scope', async () => {
    const other = route.scope === 'admin:read' ? 'admin:write' : 'admin:read';
    const answer = await call(path, {}, { bearer: await getToken(robot, other) });
    expectProblem(answer, 403, 'insufficient_scope');
    expect(answer.json['scope']).toBe(route.scope);
  });

  test('refuses applications that no operator has allowed', async () => {
    const stranger = await auth.register({ owner: olga.username, actAsOwner: true });
    expect(await requestScope(stranger, route.scope)).toMatchObject({ status: 400, json: { error: 'invalid_scope' } });
    const { json } = await auth.requestToken(
      { grant_type: 'client_credentials' },
      basic(stranger.clientId, stranger.clientSecret ?? ''),
    );
    expectProblem(await call(path, {}, { bearer: json.access_token }), 403, 'insufficient_scope');
  });

  test('refuses other methods, and pages of other origins', async () => {
    const method = methodOf(route) === 'GET' ? 'POST' : 'DELETE';
    expectProblem(await call(path, {}, { method }), 405, 'method-not-allowed');
    expectProblem(
      await call(path, {}, { method: 'OPTIONS', headers: { origin: 'https://a.example' } }),
      405,
      'method-not-allowed',
    );
  });

  test.runIf(methodOf(route) === 'GET')('takes HEAD as GET, and sends no body', async () => {
    const { status, headers, text } = await call(path, {}, { method: 'HEAD' });
    const got = await call(path);
    expect([status, headers['content-type'], text]).toEqual([got.status, got.headers['content-type'], '']);
  });

  // The input of each route is an object.
  const { shape = {} } = route.input as z.ZodType & { readonly shape?: Readonly<Record<string, z.ZodType>> };
  const required = Object.entries(shape).flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [] : name));
  test.runIf(required.length > 0)('names every missing parameter', async () => {
    const answer = await call(path);
    expectProblem(answer, 400, 'invalid-parameter');
    expect(answer.json['errors']).toEqual(
      required.map((parameter) => ({ parameter, code: 'missing', detail: 'is required' })),
    );
  });

  test.runIf(route.errors.includes('not-found'))('knows no other record', async () => {
    const input = { id: 1, client_id: 'app_1234567890123456', uid: 'x', kid: 'x', outcome: 'dismissed' };
    expectProblem(await act(path, input), 404, 'not-found');
  });

  test.runIf(required.includes('reason'))('needs a reason without names', async () => {
    const subject = { id: ada.id, ids: [ada.id], client_id: robot.clientId, uid: 'x', kid: 'x' };
    const input = { ...subject, outcome: 'dismissed', kind: 'word', value: 'pills' };
    for (const reason of ['', ' ', 'ask @ada', 'x'.repeat(201), 'a\u202Eb']) {
      const answer = await act(path, { ...input, id: path.startsWith('/reports') ? await report() : ada.id, reason });
      expectProblem(answer, 400, 'invalid-parameter');
      expect(answer.json['errors']).toMatchObject([{ parameter: 'reason' }]);
    }
    for (const body of ['', '{', '[]', '"x"', '{"reason":"\\u0000"}']) {
      expect((await call(path, {}, { body })).status).toBe(400);
    }
    expectProblem(await call(path, {}, { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported-media-type');
  });

  test.runIf(Object.keys(shape).length > 0 && methodOf(route) === 'GET')('refuses malformed parameters', async () => {
    const bad =
      'count=0|count=101|count=x|cursor=%00|cursor=a b|cursor=1-2-3|id=0|id=x|state=x|order=x|id=1&id=2|q=%00' +
      '|email_domain=a@b|network=10.0.0.0/2|network=x|registered_after=x|registered_after=2026-02-30';
    for (const text of bad.split('|')) {
      const name = text.split('=')[0] ?? '';
      if (!(name in ('shape' in route.input ? (route.input.shape as object) : {}))) continue;
      const given = { id: String(ada.id), client_id: robot.clientId };
      const rest = Object.entries(given).filter(([one]) => required.includes(one) && one !== name);
      const query = [text.replaceAll(' ', '%20'), ...rest.map(([one, value]) => `${one}=${value}`)].join('&');
      const headers = { authorization: `Bearer ${token}` };
      const answer = await auth.send({ path: `${adminApiPath}${path}?${query}`, headers });
      // Applications continue after a client id, which can be any text.
      if (path === '/applications' && text === 'cursor=1-2-3') continue;
      expectProblem(answer, 400, 'invalid-parameter');
      expect(answer.json['errors']).toMatchObject([{ parameter: name }]);
    }
  });
});

let reports = 0;

/** An open case about a new account. */
async function report(): Promise<number> {
  reports += 1;
  const accountId = BigInt(await insertAccount(auth.db, `reported_${String(reports)}`));
  const id = BigInt(1000 + reports);
  const text = { reason: 'spam', content: 'Reported' } as const;
  await auth.db.prisma.reportCase.create({
    data: { id, subjectType: 'account', subjectId: accountId, accountId, reportsCount: 1, latestAt: new Date() },
  });
  await auth.db.prisma.report.create({ data: { caseId: id, reporterId: BigInt(ada.id), text: '', ...text } });
  return Number(id);
}

/** What the application of the operator did. */
async function acts() {
  const where = { detail: { path: ['application'], equals: robot.clientId } };
  const events = await auth.db.prisma.auditEvent.findMany({ where });
  return events.map(({ event, actor, detail }) => ({ event, actor, detail }));
}

const recorded = (event: string) => ({
  event,
  actor: 'operator',
  detail: expect.objectContaining({ operator: String(olga.id), reason: 'Ticket 4711', application: robot.clientId }),
});

function expectRow(path: string, answer: Answer): void {
  expect(answer.status).toBe(200);
  const route = adminRoutes.find((one) => one.path === path);
  expect(route?.output.safeParse(answer.json).error).toBeUndefined();
}

describe('reading', () => {
  const lists = ['/accounts', '/registrations', '/blocks', '/invitations', '/reports', '/applications', '/audit'];

  test.each([...lists, '/keys', '/counters'])('%s', async (path) => {
    await report();
    expectRow(path, await call(path));
  });

  test('accounts by domain, network, day and state', async () => {
    await auth.db.prisma.account.update({
      where: { id: ada.id },
      data: { email: 'a@x.ada.example', emailCi: 'a@x.ada.example' },
    });
    const found = async (input: Input) =>
      ((await call('/accounts', input)).json['items'] as readonly { readonly id: number }[]).map(({ id }) => id);
    expect(await found({ email_domain: 'ada.example', state: 'active' })).toEqual([ada.id]);
    expect(await found({ email_domain: 'da.example' })).toEqual([]);
    expect(await found({ q: 'ada_lovelace', network: '127.0.0.0/8' })).toEqual([ada.id]);
    expect(await found({ q: 'ada_lovelace', network: '203.0.113.0/24' })).toEqual([]);
    expect(await found({ q: 'ada_lovelace', registered_after: '2026-01-01' })).toEqual([ada.id]);
    expect(await found({ registered_after: '9999-12-31T00:00:00Z' })).toEqual([]);
  });

  test.each(['/accounts/show', '/accounts/sessions', '/accounts/grants'])('%s', async (path) => {
    expectRow(path, await call(path, { id: ada.id }));
  });

  test('an application and a case', async () => {
    expectRow('/applications/show', await call('/applications/show', { client_id: robot.clientId }));
    expectRow('/reports/show', await call('/reports/show', { id: await report() }));
  });

  test.each(['/accounts', '/reports', '/applications', '/invitations'])(
    '%s in pages, each record once',
    async (path) => {
      await report();
      await act('/invitations/create', {});
      await act('/invitations/create', {});
      await auth.register({ owner: olga.username });
      const all = (await call(path, { count: 100 })).json['items'] as readonly unknown[];
      const paged: unknown[] = [];
      let next: unknown;
      do {
        const { json } = await call(path, { count: 1, ...(next === undefined ? {} : { cursor: next }) });
        paged.push(...(json['items'] as readonly unknown[]));
        next = json['next'];
      } while (next !== null);
      expect(paged).toEqual(all);
    },
  );

  test('the audit log continues where it was read, and misses nothing', async () => {
    const seal = async () => {
      // The job seals an event in its second run: by then no earlier event can appear.
      await auth.runJob('audit-seal');
      return (await call('/audit', { count: 100 })).json['items'] as readonly { readonly id: number }[];
    };
    await expect.poll(async () => (await seal()).length).toBeGreaterThan(1);
    const [first, second] = await seal();
    const { json } = await call('/audit', { count: 1 });
    expect(json['items']).toEqual([first]);
    const following = await call('/audit', { count: 1, cursor: json['next'] });
    expect(following.json['items']).toEqual([second]);
  });
});

describe('acting on an account', () => {
  test('suspends and restores an account, once each', async () => {
    const shown = await act('/accounts/suspend', { id: ada.id, shown_reason: 'Spam' });
    expectRow('/accounts/suspend', shown);
    expect(shown.json).toMatchObject({ state: 'suspended', shown_reason: 'Spam' });
    expect(await acts()).toContainEqual(recorded('account.suspended'));
    expectProblem(await act('/accounts/suspend', { id: ada.id }), 409, 'act-not-possible');
    expect((await act('/accounts/restore', { id: ada.id })).json).toMatchObject({ state: 'active' });
    expectProblem(await act('/accounts/restore', { id: ada.id }), 409, 'act-not-possible');
  });

  test('limits an account, and ends that, once each', async () => {
    const shown = await act('/accounts/limit', { id: ada.id });
    expectRow('/accounts/limit', shown);
    expect(shown.json).toMatchObject({ state: 'limited', suspended_at: null });
    expect((await call('/accounts', { state: 'limited' })).json['items']).toMatchObject([{ id: ada.id }]);
    expect(await acts()).toContainEqual(recorded('account.limited'));
    expectProblem(await act('/accounts/limit', { id: ada.id }), 409, 'act-not-possible');
    expect((await act('/accounts/unlimit', { id: ada.id })).json).toMatchObject({ state: 'active', limited_at: null });
    expectProblem(await act('/accounts/unlimit', { id: ada.id }), 409, 'act-not-possible');
  });

  test.each([
    '/accounts/suspend',
    '/accounts/limit',
    '/accounts/delete',
    '/accounts/sessions/end',
    '/accounts/grants/end',
  ])('%s never on oneself or another operator', async (path) => {
    const other = await registerWithApp(auth, `operator_${path.replaceAll(/\W/g, '')}`);
    await grantOperator(auth.db, other.username);
    for (const { id } of [olga, other]) {
      const session = await auth.db.prisma.session.findFirst({ where: { accountId: BigInt(id) } });
      const input = { id, uid: session?.uid ?? 'x', client_id: robot.clientId };
      expectProblem(await act(path, input), 409, 'act-not-possible');
    }
  });

  test('deletes and restores an account, once each', async () => {
    const { id } = await registerWithApp(auth, 'leaving');
    expectRow('/accounts/delete', await act('/accounts/delete', { id }));
    expect(await acts()).toContainEqual(recorded('account.deleted'));
    expectProblem(await act('/accounts/delete', { id }), 409, 'act-not-possible');
    expect((await act('/accounts/restore', { id })).json).toMatchObject({ state: 'active', deleted_at: null });
  });

  test('ends a session', async () => {
    const { username, id } = await registerWithApp(auth, 'session_owner');
    expect(username).toBe('session_owner');
    const sessions = (await call('/accounts/sessions', { id })).json['items'] as readonly { readonly uid: string }[];
    expect(sessions).toHaveLength(1);
    expectRow('/accounts/sessions/end', await act('/accounts/sessions/end', { id, uid: sessions[0]?.uid }));
    expect((await call('/accounts/sessions', { id })).json['items']).toEqual([]);
  });
});

describe('acting on what is not an account', () => {
  test.each([
    ['/registrations/approve', 'registration.approved'],
    ['/registrations/decline', 'registration.refused'],
  ])('%s', async (path, event) => {
    const name = path.replaceAll(/\W/g, '_');
    const row = await insertRequest({ reason: 'Friends', clientId: null })(auth.db, {
      ...{ username: name, email: `${name}@example.org`, passwordHash: 'x', firstName: 'A', lastName: 'B' },
      displayName: 'A B',
    });
    const ids = [row?.id ?? 0];
    expectRow('/registrations', await call('/registrations'));
    const answer = await act(path, { ids });
    expectRow(path, answer);
    expect(answer.json).toEqual({ done: ids, taken: [] });
    expect(await acts()).toContainEqual(recorded(event));
    expect((await act(path, { ids })).json).toEqual({ done: [], taken: [] });
  });

  test('adds, lists and removes a block', async () => {
    const { id } = (await act('/blocks/add', { kind: 'network', value: '192.0.2.7/24', until: '2027-01-31' })).json;
    const listed = await call('/blocks', { q: '192.0.2' });
    expectRow('/blocks', listed);
    const until = '2027-01-31T00:00:00.000Z';
    expect(listed.json['items']).toMatchObject([{ id, value: '192.0.2.0/24', act: 'refuse', note: '', until }]);
    const refused = await act('/blocks/add', { kind: 'network', value: 'here', until: '0000-01-01', note: '\n!\n!' });
    expectProblem(refused, 400, 'invalid-parameter');
    const { value: detail } = blockFieldRules;
    const wrong = [{ parameter: 'value', detail: `must be ${detail}` }, { parameter: 'until' }, { parameter: 'note' }];
    expect(refused.json['errors']).toMatchObject(wrong);
    expect(await acts()).toContainEqual(recorded('registration_block.saved'));
    expectRow('/blocks/remove', await act('/blocks/remove', { id }));
    expect(await acts()).toContainEqual(recorded('registration_block.removed'));
    expectProblem(await act('/blocks/remove', { id }), 404, 'not-found');
  });

  test('creates, lists and revokes an invitation', async () => {
    const created = await act('/invitations/create', { uses: 2, days: 3, note: 'Friends' });
    expectRow('/invitations/create', created);
    const { id, code, link } = created.json;
    expect(link).toBe(`${auth.baseUrl}/register?invitation=${String(code)}`);
    const listed = (await call('/invitations', { count: 1 })).json['items'];
    expect(listed).toMatchObject([{ id, owner: null, note: 'Friends', uses: 0, max_uses: 2 }]);
    expect(JSON.stringify(listed)).not.toContain(code);
    expectRow('/invitations/revoke', await act('/invitations/revoke', { id }));
    expectProblem(await act('/invitations/revoke', { id }), 404, 'not-found');
    for (const event of ['invitation.created', 'invitation.deleted']) {
      expect(await acts()).toContainEqual(recorded(event));
    }
  });

  test('checks the parameters of an invitation', async () => {
    const bad = { uses: [0, 10_001, 1.5, '2', null], days: [0, 366], note: ['x'.repeat(201), 'a\nb', 7] };
    for (const [parameter, value] of Object.entries(bad).flatMap(([name, all]) => all.map((one) => [name, one]))) {
      const answer = await act('/invitations/create', { [String(parameter)]: value });
      expectProblem(answer, 400, 'invalid-parameter');
      expect(answer.json['errors']).toMatchObject([{ parameter }]);
    }
  });

  test('D189: rotates and revokes signing keys', async () => {
    const keysOf = ({ json }: Answer) => json['items'] as readonly Readonly<Record<'kid' | 'alg' | 'state', string>>[];
    const before = keysOf(await call('/keys'));
    const rotated = await act('/keys/rotate', { alg: 'RS256' });
    expectRow('/keys/rotate', rotated);
    const added = keysOf(rotated).filter(({ kid }) => !before.some((one) => one.kid === kid));
    expect(added).toMatchObject([{ alg: 'RS256', state: 'next' }]);
    const { kid = '' } = added[0] ?? {};
    const revoked = await act('/keys/revoke', { kid });
    expectRow('/keys/revoke', revoked);
    expect(keysOf(revoked)).toContainEqual(expect.objectContaining({ kid, state: 'revoked' }));
    for (const event of ['key.next', 'key.revoked']) expect(await acts()).toContainEqual(recorded(event));
    for (const bad of [{ alg: 'none' }, { force: 'yes' }]) {
      expectProblem(await act('/keys/rotate', bad), 400, 'invalid-parameter');
    }
  });

  test.each(['dismissed', 'suspended'])('resolves a case: %s', async (outcome) => {
    const id = await report();
    const answer = await act('/reports/resolve', { id, outcome });
    expectRow('/reports/resolve', answer);
    expect(answer.json).toMatchObject({ outcome });
    expectProblem(await act('/reports/resolve', { id, outcome }), 409, 'act-not-possible');
  });

  test('deletes all posts of an account that was reported', async () => {
    const id = await report();
    expectProblem(await act('/reports/resolve', { id, outcome: 'deleted' }), 409, 'act-not-possible');
    const answer = await act('/reports/resolve', { id, outcome: 'deleted', delete_posts: true });
    expectRow('/reports/resolve', answer);
    expect(answer.json).toMatchObject({ outcome: 'deleted' });
    const events = ['account.posts_deleted', 'report.deleted'];
    expect(await acts()).toEqual(expect.arrayContaining(events.map(recorded)));
  });

  test('suspends and restores an application', async () => {
    const { clientId } = await auth.register();
    const suspended = await act('/applications/suspend', { client_id: clientId });
    expectRow('/applications/suspend', suspended);
    expect(suspended.json).toMatchObject({ suspended: true });
    expect(await acts()).toContainEqual(recorded('application.suspended'));
    expect((await act('/applications/restore', { client_id: clientId })).json).toMatchObject({ suspended: false });
  });
});

test('D198: lists and revokes the invitation of a person', async () => {
  const made = await createPersonalInvitation(auth.db, ada.id, { note: '', maxUses: 1, days: 1 });
  const id = made?.id;
  expect((await call('/invitations', { count: 1 })).json['items']).toMatchObject([{ id, owner: ada.username }]);
  expectRow('/invitations/revoke', await act('/invitations/revoke', { id }));
  expect(
    await auth.db.prisma.auditEvent.findFirst({ where: { event: 'invitation.deleted', accountId: ada.id } }),
  ).toMatchObject({
    ...recorded('invitation.deleted'),
  });
});

test('what is listed can be sent: a block that never ends, and one that has ended', async () => {
  await act('/blocks/add', { kind: 'word', value: 'endless', until: null });
  await act('/blocks/add', { kind: 'word', value: 'ended', until: '2020-01-31' });
  const { items } = (await call('/blocks', { q: 'end' })).json;
  expect(items).toMatchObject([
    { value: 'ended', ended: true },
    { value: 'endless', until: null, ended: false },
  ]);
});

describe('who may use it', () => {
  test('a token is refused soon after the permission ended, and there is no other', async () => {
    const application = await auth.register({ owner: olga.username, actAsOwner: true });
    await allowAdmin(auth.db, application.clientId, true);
    await expect.poll(async () => (await requestScope(application, 'admin:read')).status).toBe(200);
    const bearer = await getToken(application);
    expect((await call('/counters', {}, { bearer })).status).toBe(200);
    await allowAdmin(auth.db, application.clientId, false);
    await expect.poll(async () => (await call('/counters', {}, { bearer })).status).toBe(401);
    await expect.poll(async () => (await requestScope(application, 'admin:read')).status).toBe(400);
  });

  test('the owner must be an operator, at each request', async () => {
    const owner = await registerOperator(auth, 'operator_leaving');
    const application = await auth.register({ owner: owner.username, actAsOwner: true });
    await allowAdmin(auth.db, application.clientId, true);
    const bearer = await getToken(application);
    expect((await call('/counters', {}, { bearer })).status).toBe(200);
    await revokeOperator(auth.db, owner.username);
    expectProblem(await call('/counters', {}, { bearer }), 403, 'operator-required');
  });

  test('an application that does not act for its owner gets no such token', async () => {
    const application = await auth.register({ owner: olga.username, actAsOwner: false });
    await allowAdmin(auth.db, application.clientId, true);
    expect((await requestScope(application, 'admin:read')).status).toBe(400);
  });

  test('a request without scope gets none of them', async () => {
    const { json } = await auth.requestToken(
      { grant_type: 'client_credentials' },
      basic(robot.clientId, robot.clientSecret ?? ''),
    );
    expect(String(json.scope)).not.toContain('admin');
  });

  test('an unknown path is a problem, not a page', async () => {
    expectProblem(await call('/nothing'), 404, 'unknown-endpoint');
  });
});
