// `linnet user list|search`, `linnet session list|end` and `linnet report`, as an operator runs them.
import { createAccounts } from '@linnet/accounts/accounts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { addReport } from '@linnet/social/report/report-store';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  for (const name of ['carla', 'carlos', 'dorothea']) await registerPerson(auth.db, name);
  await createAccounts(auth.db).suspend('carlos');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function linnet(...args: readonly string[]) {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  return { status, document: JSON.parse(stdout) };
}

describe('user search', () => {
  const usernames = async (...args: readonly string[]) =>
    (await linnet('user', ...args)).document.map(({ username }: { readonly username: string }) => username);

  test.each([
    [['list'], ['dorothea', 'carlos', 'carla', 'owner_of_all']],
    [['list', '--limit', '1'], ['dorothea']],
    [
      ['search', 'CARL'],
      ['carlos', 'carla'],
    ],
    [['search', 'doro'], ['dorothea']],
    [['search', 'carl', '--state', 'suspended'], ['carlos']],
    [['search', 'carl', '--state', 'deleted'], []],
    [['search', '%'], []],
  ])('%j', async (args, expected) => {
    expect(await usernames(...args)).toEqual(expected);
  });

  test('by mail domain and network', async () => {
    const dora = await auth.db.prisma.account.findUniqueOrThrow({ where: { usernameCi: 'dorothea' } });
    const of = { accountId: dora.id, event: 'account.registered' };
    const { id } = await auth.db.prisma.auditEvent.findFirstOrThrow({ where: of });
    await auth.db.prisma
      .$executeRaw`INSERT INTO audit_address (event_id, address, is_full) VALUES (${id}, '192.0.2.0/24', false)`;
    expect(await usernames('list', '--network', '192.0.2.7')).toEqual(['dorothea']);
    expect(await usernames('list', '--network', '192.0.0.0/16')).toEqual(['dorothea']);
    expect(await usernames('list', '--network', '192.0.3.0/24')).toEqual([]);
    const [, domain = ''] = dora.email.split('@');
    expect(await usernames('search', 'doro', '--email-domain', domain)).toEqual(['dorothea']);
    expect(await usernames('list', '--email-domain', 'other.example')).toEqual([]);
  });

  test('show and suspend have what the person is shown', async () => {
    const suspend = async (reason: string) => await linnet('user', 'suspend', 'carlos', '--reason', reason);
    expect((await run('user', 'suspend', 'carlos', '--reason', ' ', '--json')).status).not.toBe(0);
    expect((await run('user', 'suspend', 'carlos', '--reason', 'x'.repeat(501), '--json')).status).not.toBe(0);
    expect((await suspend('Spam')).status).toBe(0);
    const { document } = await linnet('user', 'show', 'carlos');
    expect(document).toMatchObject({ suspended: expect.any(String), reason: 'Spam' });
  });

  test('D177 limit says why to operators, until unlimit', async () => {
    expect((await linnet('user', 'limit', 'carla', '--reason', 'a@b.example')).document.error.code).toBe(
      'invalid-reason',
    );
    expect((await linnet('user', 'limit', 'carla', '--reason', 'Spam')).status).toBe(0);
    expect((await linnet('user', 'show', 'carla')).document).toMatchObject({
      ...{ limited: expect.any(String), limit_reason: 'Spam' },
    });
    expect(await usernames('list', '--state', 'limited')).toEqual(['carla']);
    expect((await linnet('user', 'unlimit', 'carla')).status).toBe(0);
    expect((await linnet('user', 'show', 'carla')).document).not.toHaveProperty('limited');
    expect((await linnet('user', 'unlimit', 'carla')).status).not.toBe(0);
  });

  test('D151 pages by id, finds a part of a display name, and prints a table', async () => {
    const { document } = await linnet('user', 'list', '--limit', '2');
    expect(await usernames('list', '--before', String(document[1].id))).toEqual(['carla', 'owner_of_all']);
    const name = document[0].display_name;
    expect(await usernames('search', name.slice(1, -1))).toContain('dorothea');
    expect((await run('user', 'search', 'carlos')).stdout).toMatch(/^id .*marks\n\d+ +carlos .*suspended/);
  });

  test.each([
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--before', '-1'],
    ['--state', 'gone'],
  ])('refuses %s %s', async (...option) => {
    expect(await linnet('user', 'list', ...option)).toMatchObject({
      status: 1,
      document: { error: { code: 'usage' } },
    });
  });
});

describe('session', () => {
  const isSignedIn = async (browser: Browser) => (await browser.open('/account')).url.pathname === '/account';

  test('lists the sessions of an account, and ends one or all with the connected apps', async () => {
    const person = await registerPerson(auth.db, 'ernestine');
    const [laptop, phone] = [createBrowser(auth), createBrowser(auth)];
    for (const browser of [laptop, phone]) await signIn(browser, person);
    const app = await connect(auth, laptop);
    const { document } = await linnet('session', 'list', 'ERNESTINE');
    expect(document).toHaveLength(2);
    expect(await linnet('session', 'end', 'ernestine', document[0].session)).toEqual({
      status: 0,
      document: { ok: true },
    });
    expect(await isSignedIn(laptop)).not.toBe(await isSignedIn(phone));
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
    expect(await linnet('session', 'end', 'ernestine', '--all')).toEqual({ status: 0, document: { ok: true } });
    expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, false]);
    expect((await linnet('session', 'list', 'ernestine')).document).toEqual([]);
  });

  test.each([
    [['list', 'nobody'], 'account-not-found'],
    [['end', 'nobody', '--all'], 'account-not-found'],
    [['end', 'dorothea', 'x'], 'session-not-found'],
    [['end', 'dorothea', '-3456789012345678901x'], 'session-not-found'],
    [['end', 'dorothea'], 'usage'],
    [['end', 'dorothea', 'x', '--all'], 'usage'],
  ])('session %j: %s', async (args, code) => {
    expect(await linnet('session', ...args)).toMatchObject({ status: 1, document: { error: { code } } });
  });

  test('the audit log names the operator', async () => {
    const { document } = await linnet('audit', 'tail');
    expect(JSON.stringify(document)).toContain('session.ended');
  });
});

describe('operators', () => {
  const listed = async () =>
    (await linnet('user', 'list', '--operators')).document.map((one: { readonly username: string }) => one.username);

  test('need a second factor, and are shown by show, list and the audit log', async () => {
    const { id } = await registerPerson(auth.db, 'frederica');
    const refused = { status: 1, document: { error: { code: 'operator-refused' } } };
    expect(await linnet('user', 'grant-operator', 'frederica')).toMatchObject(refused);
    await auth.db.prisma.totp.create({ data: { accountId: id, secretJwe: 'x', lastStep: 1 } });
    expect(await linnet('user', 'grant-operator', 'FREDERICA')).toEqual({ status: 0, document: { ok: true } });
    expect((await linnet('user', 'show', 'frederica')).document).toMatchObject({ operator: true });
    expect(await listed()).toEqual(['frederica']);
    expect((await run('user', 'list', '--operators')).stdout).toMatch(/frederica .*operator/);
    expect(await linnet('user', 'revoke-operator', 'frederica')).toEqual({ status: 0, document: { ok: true } });
    expect(await listed()).toEqual([]);
    await createAccounts(auth.db).suspend('frederica');
    expect(await linnet('user', 'grant-operator', 'frederica')).toMatchObject(refused);
    const { document } = await linnet('audit', 'tail');
    const events = document.map((one: { readonly event: string; readonly actor: string }) => [one.event, one.actor]);
    expect(events).toEqual(
      expect.arrayContaining([
        ['account.operator_granted', 'operator'],
        ['account.operator_revoked', 'operator'],
      ]),
    );
  });

  test.each(['grant-operator', 'revoke-operator'])('%s refuses unknown usernames', async (verb) => {
    expect(await linnet('user', verb, 'nobody')).toMatchObject({
      status: 1,
      document: { error: { code: 'account-not-found' } },
    });
  });
});

describe('applications', () => {
  test('are found, and lose their tokens and connections', async () => {
    const person = await registerPerson(auth.db, 'georgiana');
    const browser = createBrowser(auth);
    await signIn(browser, person);
    const app = await connect(auth, browser, { name: 'Needle in a haystack' });
    const { document } = await linnet('app', 'search', 'NEEDLE');
    expect(document).toMatchObject([{ client_id: app.clientId, owner: 'owner_of_all', suspended: false }]);
    expect((await linnet('app', 'search', app.clientId.slice(0, 8))).document).toHaveLength(1);
    expect((await linnet('app', 'search', 'owner_of', '--before', app.clientId)).document).not.toEqual(document);
    expect((await run('app', 'search', 'needle')).stdout).toMatch(/^client_id .*marks\n\S+ +owner_of_all/);
    expect(await linnet('app', 'end-access', app.clientId)).toEqual({ status: 0, document: { ok: true } });
    expect((await app.refresh(app.refreshToken)).status).toBe(400);
    expect(await linnet('app', 'end-access', 'nobody')).toMatchObject({ status: 1 });
  });

  test.each([
    ['suspend', true],
    ['restore', false],
    ['end-access', false],
  ])('several at once, which is confirmed: %s', async (verb, suspended) => {
    const ids = [(await auth.register()).clientId, (await auth.register()).clientId];
    const all = { clientId: { in: ids } };
    const suspendedAt = verb === 'restore' ? new Date() : null;
    await auth.db.prisma.application.updateMany({ where: all, data: { suspendedAt } });
    const states = async () =>
      (await auth.db.prisma.application.findMany({ where: all })).map((one) => [one.suspendedAt !== null, one.epoch]);
    const before = await states();
    const asked = await linnet('app', verb, ...ids);
    expect(asked).toMatchObject({ status: 1, document: { error: { code: 'not-confirmed' } } });
    expect(asked.document.error.message).toContain(`This would ${verb} 2 applications: ${ids.join(', ')}.`);
    expect(await linnet('app', verb, ...ids, 'nobody', '--yes')).toMatchObject({ status: 1 });
    expect(await states()).toEqual(before);
    const done = ids.map((id) => ({ client_id: id, ok: true }));
    expect(await linnet('app', verb, ...ids, ids[0] ?? '', '--yes')).toEqual({ status: 0, document: done });
    expect(await states()).not.toEqual(before);
    expect((await states()).map(([isSuspended]) => isSuspended)).toEqual([suspended, suspended]);
  });
});

describe('report', () => {
  const reportCase = async (name: string, content: string) => {
    const { id } = await registerPerson(auth.db, name);
    const posted = await insertPost(auth.db, {
      authorId: id,
      text: content,
      entities: findEntities(''),
    });
    if (typeof posted !== 'object') throw new Error('the post was not stored');
    const reporterId = (await registerPerson(auth.db, `${name}_reporter`)).id;
    const subject = { type: 'post', id: posted.id } as const;
    await addReport(auth.db, { reporterId, subject, reason: 'spam', text: 'Look' });
    const { document } = await linnet('report', 'list', '--order', 'newest', '--limit', '1');
    return { id: String(document[0].case), post: posted.id, document: document[0] };
  };

  const resolve = async (id: string, outcome: string) =>
    await linnet('report', 'resolve', id, outcome, '--reason', 'ticket 4711');

  test('lists, shows and resolves what was reported, without control characters on the terminal', async () => {
    const { id, post, document } = await reportCase('hedwig', 'red \u001b[31m\nalert');
    expect(document).toMatchObject({
      type: 'post',
      item_id: post,
      account: 'hedwig',
      reports: 1,
      reasons: ['spam'],
      state: 'open',
    });
    expect((await run('report', 'list')).stdout).toContain('red  [31m alert');
    expect((await linnet('report', 'show', id)).document).toMatchObject({
      case: Number(id),
      latest: [{ reporter: 'hedwig_reporter', reason: 'spam', text: 'Look', content: 'red \u001b[31m\nalert' }],
    });
    expect((await run('report', 'show', id)).stdout).toMatch(/reporter +reason.*\nhedwig_reporter +spam/);
    const without = await linnet('report', 'resolve', id, 'deleted');
    expect(without.document.error).toEqual({
      code: 'usage',
      message: "required option '--reason <text>' not specified",
    });
    expect(await resolve(id, 'deleted')).toEqual({ status: 0, document: { ok: true } });
    const { detail } = await auth.db.prisma.auditEvent.findFirstOrThrow({ where: { event: 'report.deleted' } });
    expect(detail).toMatchObject({ case: id, reason: 'ticket 4711' });
    expect(await auth.db.prisma.post.count({ where: { id: post } })).toBe(0);
    const again = await resolve(id, 'dismissed');
    expect(again).toMatchObject({ status: 1, document: { error: { code: 'report-not-resolved' } } });
  });

  test('deletes all posts of the account after it asked', async () => {
    const { id, post } = await reportCase('heinz', 'pills');
    const args = ['report', 'resolve', id, 'deleted', '--delete-posts', '--reason', 'ticket 4711'];
    expect(await linnet(...args)).toMatchObject({ status: 1, document: { error: { code: 'not-confirmed' } } });
    expect(await auth.db.prisma.post.count({ where: { id: post } })).toBe(1);
    expect(await linnet(...args, '--yes')).toEqual({ status: 0, document: { ok: true } });
    expect(await auth.db.prisma.post.count({ where: { id: post } })).toBe(0);
  });

  test.each([
    [['show', '7'], 'report-not-found'],
    [['resolve', 'x', 'dismissed', '--reason', 'spam'], 'report-not-found'],
    [['resolve', '7', 'banned', '--reason', 'spam'], 'usage'],
    [['list', '--order', 'oldest'], 'usage'],
  ])('%j: %s', async (args, code) => {
    expect(await linnet('report', ...args)).toMatchObject({ status: 1, document: { error: { code } } });
  });
});
