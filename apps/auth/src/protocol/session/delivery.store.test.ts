// Delivery of logout tokens over real HTTP: contents, retries, and addresses that are never contacted.
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { startLogoutReceiver } from '@linnet/test/auth/logout-receiver';
import type { LogoutReceiver } from '@linnet/test/auth/logout-receiver';
import { registerPerson } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerSigningIn, signInTo } from '@linnet/test/auth/signing-out';
import type { ThirdParty } from '@linnet/test/auth/third-party';
import { claimLogouts } from './logout-store.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: LogoutReceiver;
let app: ThirdParty;
let ada: Person;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startLogoutReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
  app = await registerSigningIn(auth, []);
  ada = await registerPerson(auth.db, 'ada_lovelace');
});
beforeEach(async () => {
  await auth.db.prisma.backchannelLogout.deleteMany();
  receiver.received.length = 0;
  receiver.status = 200;
  await setAddress(`http://${receiver.authority}/logout?a=b`);
});
afterAll(() => cleanup.disposeAsync());

const job = 'backchannel-logout';
const makeDue = statement<readonly [hours: number], never>(
  'test_logout_make_due',
  `UPDATE backchannel_logout SET due_at = now() - interval '1 second',
          created_at = created_at - make_interval(hours => $1::int)`,
);

async function setAddress(backchannelLogoutUri: string, data: { suspendedAt?: Date | null } = {}): Promise<void> {
  await auth.db.prisma.application.update({
    where: { clientId: app.clientId },
    data: { backchannelLogoutUri, ...data },
  });
}

/** Signs in to the application and out again; returns the ID token. */
async function leave(): Promise<string> {
  const browser = createBrowser(auth);
  const { idToken } = await signInTo(app, browser, ada);
  const page = await browser.open('/logout');
  await browser.submit(page, page.formOf('sign-out'));
  return idToken;
}

async function findQueued() {
  const rows = await auth.db.prisma.backchannelLogout.findMany();
  return rows.map(({ attempts, dueAt }) => ({
    attempts,
    waitSeconds: Math.round((dueAt.getTime() - Date.now()) / 10_000) * 10,
  }));
}

async function findReported(): Promise<readonly string[]> {
  const where = { clientId: app.clientId, kind: 'logout' } as const;
  const rows = await auth.db.prisma.requestLog.findMany({ where, orderBy: { id: 'asc' } });
  return rows.map(({ error }) => error);
}

describe('a logout token', () => {
  test('names issuer, application, person and session, is signed like the ID token, and is delivered once', async () => {
    const idToken = decodeJwt(await leave());
    await Promise.all([auth.runJob(job), auth.runJob(job)]);
    expect(receiver.received.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
      ['POST /logout?a=b', 'application/x-www-form-urlencoded'],
    ]);
    const keys = createLocalJWKSet({ keys: [...(await auth.send({ path: '/oauth/jwks' })).json.keys] });
    const verified = await jwtVerify(receiver.received[0]?.token ?? '', keys, {
      typ: 'logout+jwt',
      issuer: auth.baseUrl,
      audience: app.clientId,
      algorithms: ['RS256'],
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    expect(verified.payload).toMatchObject({
      sub: String(ada.id),
      sid: idToken['sid'],
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(verified.payload['nonce']).toBeUndefined();
    expect(idToken['sid']).toEqual(expect.any(String));
    expect(await findQueued()).toEqual([]);
  });

  test('is no id_token_hint', async () => {
    await leave();
    await auth.runJob(job);
    const query = new URLSearchParams({ id_token_hint: receiver.received[0]?.token ?? '' }).toString();
    expect((await createBrowser(auth).open(`/oauth/logout?${query}`)).status).toBe(400);
  });
});

describe('an application that does not accept it', () => {
  test.each([400, 500, 301, 202, undefined])(
    'with %s: it is sent again, later each time, with a new jti',
    async (status) => {
      receiver.status = status;
      await leave();
      await auth.runJob(job);
      expect(await findQueued()).toEqual([{ attempts: 1, waitSeconds: 10 }]);
      await auth.runJob(job);
      expect(receiver.received).toHaveLength(1);
      await auth.db.query(makeDue, [0]);
      await auth.runJob(job);
      expect(await findQueued()).toEqual([{ attempts: 2, waitSeconds: 60 }]);
      receiver.status = 204;
      await auth.db.query(makeDue, [0]);
      await auth.runJob(job);
      expect(await findQueued()).toEqual([]);
      expect(new Set(receiver.received.map(({ token }) => decodeJwt(token).jti)).size).toBe(3);
    },
  );

  test('is given up after 24 hours, and its owner sees why', async () => {
    receiver.status = 503;
    await leave();
    await auth.db.query(makeDue, [25]);
    await auth.runJob(job);
    expect(await findQueued()).toEqual([]);
    expect(auth.log.join('')).toContain('back-channel logout given up');
    await expect.poll(findReported).toContain('503');
  });

  test('postpones what else is due for it, so that others are not delayed', async () => {
    receiver.status = 500;
    await Promise.all([leave(), leave()]);
    await claimLogouts(auth.db, 1, 0);
    await auth.runJob(job);
    expect((await findQueued()).every(({ waitSeconds }) => waitSeconds >= 10)).toBe(true);
  });
});

test('a process that dies while it sends loses nothing: another one sends when the lease ends', async () => {
  await leave();
  expect(await claimLogouts(auth.db, 10, 60)).toHaveLength(1);
  await auth.runJob(job);
  expect(receiver.received).toEqual([]);
  await auth.db.query(makeDue, [0]);
  await auth.runJob(job);
  expect(receiver.received).toHaveLength(1);
});

test('a suspended application, or one without an address any more, is not notified', async () => {
  await leave();
  await setAddress(`http://${receiver.authority}/`, { suspendedAt: new Date() });
  await auth.runJob(job);
  await setAddress(`http://${receiver.authority}/`, { suspendedAt: null });
  await auth.runJob(job);
  expect([receiver.received, await findQueued()]).toEqual([[], []]);
});

test.each(['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://[::1]/', 'http://localhost/', 'ftp://example.org/'])(
  'MD1: nothing is sent to %s',
  async (address) => {
    await setAddress(address);
    await leave();
    await auth.runJob(job);
    expect(await findQueued()).toEqual([{ attempts: 1, waitSeconds: 10 }]);
    await expect.poll(findReported).toContain('unreachable');
  },
);
