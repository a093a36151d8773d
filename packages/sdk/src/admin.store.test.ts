// The admin entry against a running server: with a secret, and with tokens that are bound to a key.
import { adminRoutes } from '@linnet/contract/admin/admin-routes';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import { callNameOf } from '@linnet/contract/call-name';
import { registerAdminProgram, registerOperator } from '@linnet/test/auth/operator';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createAdmin, isApiError } from './admin.ts';
import type { AdminOptions, AuditEventList } from './admin.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let options: AdminOptions;
interface Sent {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly key: string | undefined;
}
const sent: Sent[] = [];

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  const robot = await registerAdminProgram(auth, await registerOperator(auth, 'operator_olga'));
  options = { issuer: auth.baseUrl, clientId: robot.clientId, clientSecret: robot.clientSecret, fetch: sendTo };
});
afterAll(() => cleanup.disposeAsync());

/** The server is not reachable by its public name. */
const sendTo: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const headers = Object.fromEntries(new Headers(init.headers));
  const { method = 'GET', body } = init;
  sent.push({ path: url.pathname, authorization: headers['authorization'], key: headers['idempotency-key'] });
  const text = body === undefined || body === null ? {} : { body: await new Response(body).text() };
  const answer = await auth.send({ method, path: url.pathname + url.search, headers, ...text });
  const received = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
  const response = new Response(answer.text, { status: answer.status, headers: received.map(([...pair]) => pair) });
  return Object.defineProperty(response, 'url', { value: url.href });
};

test.each(adminRoutes.map((route) => [route.path, route] as const))('%s has a method', async (path, route) => {
  const [noun, verb] = callNameOf(route);
  const requests: string[] = [];
  const admin = createAdmin({
    ...options,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!url.pathname.startsWith(adminApiPath)) return await sendTo(input, init);
      requests.push(`${String(init?.method)} ${url.pathname}`);
      return Response.json({ items: [], next: null });
    },
  });
  const call: (parameters: object) => PromiseLike<unknown> = Reflect.get(Object(Reflect.get(admin, noun)), verb);
  await call({ id: 1 });
  expect(requests).toEqual([`${methodOf(route)} ${adminApiPath}${path}`]);
});

describe.each([
  ['with a secret', false, 'Bearer'],
  ['with a key', true, 'DPoP'],
])('%s', (name, dpop, scheme) => {
  test('finds, suspends and restores an account, and reads all pages', async () => {
    const admin = createAdmin({ ...options, dpop });
    const part = dpop ? 'bound' : 'plain';
    const ids = [await insertAccount(auth.db, `${part}_one`), await insertAccount(auth.db, `${part}_two`)];
    const found: number[] = [];
    for await (const { id } of admin.accounts.list({ q: part, count: 1 })) found.push(id);
    expect(found).toEqual(ids.toReversed());
    const [id = 0] = ids;
    const suspended = await admin.accounts.suspend({ id, reason: name, shown_reason: 'Spam' });
    expect(suspended).toMatchObject({ id, state: 'suspended', shown_reason: 'Spam' });
    const again = await admin.accounts.suspend({ id, reason: name }).then(undefined, (error: unknown) => error);
    expect(isApiError(again, 'act-not-possible')).toBe(true);
    expect((await admin.accounts.restore({ id, reason: name })).state).toBe('active');
    expect(sent.findLast(({ path }) => path.startsWith(adminApiPath))?.authorization).toMatch(`${scheme} `);
  });

  test('reads the audit log to its end, which is not the end of the log', async () => {
    const admin = createAdmin({ ...options, dpop, scope: 'admin:read' });
    // The job seals an event in its second run.
    const seal = async () => {
      await auth.runJob('audit-seal');
      return (await admin.audit.list({ count: 2 })).items.length;
    };
    await expect.poll(seal).toBe(2);
    const pages: AuditEventList[] = [];
    for await (const page of admin.audit.list({ count: 2 }).pages()) pages.push(page);
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);
    expect(pages.at(-1)).toEqual({ items: [], next: String(ids.at(-1)) });
    const refused = await admin.keys.rotate({ reason: name }).then(undefined, (error: unknown) => error);
    expect(isApiError(refused, 'insufficient_scope')).toBe(true);
  });
});

test('an act whose response is lost is sent again, and happens once', async () => {
  const { length } = sent;
  let isLost = false;
  const admin = createAdmin({
    ...options,
    fetch: async (input, init) => {
      const answer = await sendTo(input, init);
      if (isLost || sent.at(-1)?.path.startsWith(adminApiPath) !== true) return answer;
      isLost = true;
      throw new TypeError('fetch failed');
    },
  });
  const { id } = await admin.invitations.create({ reason: 'Lost' });
  const acts = sent.slice(length).filter(({ path }) => path === `${adminApiPath}/invitations/create`);
  expect(acts).toHaveLength(2);
  expect(new Set(acts.map(({ key }) => key)).size).toBe(1);
  const events = await auth.db.prisma.auditEvent.findMany({ where: { event: 'invitation.created' } });
  expect(events).toHaveLength(1);
  const lost = { idempotencyKey: acts[0]?.key };
  expect((await admin.invitations.create({ reason: 'Lost' }, lost)).id).toBe(id);
});
