import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { createBrowser } from '@linnet/auth/testing/browser';
import type { Browser, Page } from '@linnet/auth/testing/browser';
import { connect } from '@linnet/auth/testing/connected';
import type { Connected } from '@linnet/auth/testing/connected';
import { registerPerson, signIn } from '@linnet/auth/testing/person';
import type { Person } from '@linnet/auth/testing/person';
import { basic } from '@linnet/auth/testing/running-auth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { observeRefusal, startRevocableServers } from '../support/revocable-servers.ts';
import type { Credentials, RevocableServers } from '../support/revocable-servers.ts';
import { eventually, runLinnet } from '../support/service.ts';

/** Revoked means revoked within one second, at two API servers that verify tokens on their own. */

let servers: RevocableServers;
let person: Person;
let browser: Browser;
let count = 0;
const delays: number[] = [];

beforeAll(async () => {
  servers = await startRevocableServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
});
afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  if (delays.length === 0) return;
  const worst = Math.max(...delays);
  const middle = delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? 0;
  process.stdout.write(
    `from the request that revokes until both API servers refuse: ${String(delays.length)} measurements, median ${middle.toFixed(0)} ms, worst ${worst.toFixed(0)} ms\n`,
  );
});
beforeEach(async () => {
  count += 1;
  person = await registerPerson(servers.database.db, `revocable_${String(count)}`);
  browser = createBrowser(servers.auth);
  await signIn(browser, person);
});

/** An application of somebody else's that the person lets in, or of the person's own. */
async function letIn(application: Parameters<typeof connect>[2] = {}): Promise<Connected> {
  return await connect(servers.auth, browser, application);
}

async function ownBot(): Promise<Required<Credentials> & { readonly token: string }> {
  const { clientId, clientSecret } = await servers.auth.register({ owner: person.username, actAsOwner: true });
  return { clientId, clientSecret, token: await tokenOf({ clientId, clientSecret }) };
}

async function tokenOf({ clientId, clientSecret }: Credentials): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  return (await servers.auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

/** Both servers accept the token, then the change is made, which waits that long, then both refuse it within a second. */
async function expectRefused(token: string, change: () => Promise<unknown>, waitsMs = 0): Promise<void> {
  expect(await Promise.all([servers.callApi(0, token), servers.callApi(1, token)])).toEqual([200, 200]);
  const asked = performance.now();
  const [done, { acceptedUntil, others }] = await Promise.all([
    change().then(() => performance.now()),
    observeRefusal(servers, token),
  ]);
  expect(others).toEqual([]);
  expect(Math.max(...acceptedUntil) - done).toBeLessThan(1000);
  // From the request, not from its answer: some answers wait until every process has seen the change.
  for (const until of acceptedUntil) delays.push(until - asked - waitsMs);
}

async function press(path: string, testId: string, values = {}): Promise<Page> {
  const page = await browser.open(path);
  const answer = await browser.submit(page, page.formOf(testId), values);
  expect(answer.status).toBe(200);
  return answer;
}

async function linnet(...words: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runLinnet([...words, '--json'], servers.env);
  expect([exitCode, stderr]).toEqual([0, '']);
}

describe('RT8 RT9: within a second the API refuses the token', () => {
  test('when it is revoked itself; another one of the same grant goes on', async () => {
    const bot = await ownBot();
    const another = await tokenOf(bot);
    await expectRefused(bot.token, () => servers.manage('/oauth/revoke', bot, { token: bot.token }));
    expect(await servers.callApi(0, another)).toBe(200);
  });

  test('when the refresh token of its grant is revoked', async () => {
    const app = await letIn({ type: 'public' });
    await expectRefused(app.accessToken, () => servers.manage('/oauth/revoke', app, { token: app.refreshToken }));
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
  });

  test('when a refresh token is used again after its successor was', async () => {
    const app = await letIn();
    const { json } = await app.refresh(app.refreshToken);
    const { json: latest } = await app.refresh(String(json['refresh_token']));
    await expectRefused(latest.access_token, () => app.refresh(app.refreshToken));
  });

  test('when its code is used again', async () => {
    const app = await letIn();
    const callback = await app.authorize(browser);
    const { json } = await app.exchange(callback);
    await expectRefused(json.access_token, () => app.exchange(callback));
  });

  test('when the person disconnects the application', async () => {
    const app = await letIn();
    await expectRefused(app.accessToken, () => press('/account/applications', 'revoke-application'));
  });

  test('when the person signs out everywhere; a bot of theirs gets a new one', async () => {
    const app = await letIn();
    const bot = await ownBot();
    await expectRefused(bot.token, () => press('/account/sessions', 'end-all-sessions'));
    expect(await servers.callApi(1, app.accessToken)).toBe(401);
    await delay(700); // the authorization server has a second, too
    await expectLiving(() => tokenOf(bot));
  });

  test('when the person changes the password', async () => {
    const app = await letIn();
    const values = { current_password: person.password, new_password: 'a password that is new' };
    await expectRefused(app.accessToken, () => press('/account/password', 'change-password', values));
  });

  test('when an operator suspends the account; restored, it gets new ones only', async () => {
    const app = await letIn();
    await expectRefused(app.accessToken, async () => {
      const data = { suspendedAt: new Date(), epoch: { increment: 1 } };
      await servers.database.db.prisma.account.update({ where: { id: person.id }, data });
    });
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
    const there = await signIn(createBrowser(servers.auth), person);
    expect(there.url.pathname).toBe('/login');
    await linnet('user', 'suspend', person.username);
    await linnet('user', 'restore', person.username);
    const { json } = await app.refresh(app.refreshToken);
    await expectLiving(async () => json.access_token);
    expect(await servers.callApi(0, app.accessToken)).toBe(401);
  });

  test('when an operator suspends the application; restored, it gets new ones only', async () => {
    const bot = await ownBot();
    await expectRefused(bot.token, async () => {
      expect(await createApplications(servers.database.db).suspend(bot.clientId)).toBe(true);
    });
    const credentials = basic(bot.clientId, bot.clientSecret);
    const isUnknown = async () => {
      const { status, json } = await servers.auth.requestToken({ grant_type: 'client_credentials' }, credentials);
      return status === 401 && json['error'] === 'invalid_client';
    };
    // The authorization server has its own look at the feed, within the same second.
    await eventually('the application gets no token', isUnknown, 1000);
    await linnet('app', 'suspend', bot.clientId);
    await linnet('app', 'restore', bot.clientId);
    await eventually('the application is known again', async () => (await tokenOf(bot)) !== undefined);
    await expectLiving(() => tokenOf(bot));
    expect(await servers.callApi(0, bot.token)).toBe(401);
  });

  test('when its application is deleted', async () => {
    const bot = await ownBot();
    const values = { confirm: 'Revocable' };
    await expectRefused(bot.token, () =>
      press(`/developer/applications/${bot.clientId}`, 'delete-application', values),
    );
  });

  test('when a secret of its application is retired; the other one gives new tokens at once', async () => {
    const bot = await ownBot();
    const path = `/developer/applications/${bot.clientId}`;
    const shown = await press(path, 'add-secret');
    const clientSecret = /data-testid="client-secret"[^>]*>([^<]*)</.exec(shown.html)?.[1] ?? '';
    await expectRefused(bot.token, () => press(path, 'retire-secret'));
    await expectLiving(() => tokenOf({ ...bot, clientSecret }));
  });

  test('when its application loses a scope', async () => {
    const bot = await ownBot();
    await expectRefused(bot.token, () => save(bot, { scope: ['users'], act_as_owner: 'on' }));
    await expectLiving(() => tokenOf(bot));
  });

  test('when its application stops acting as its owner', async () => {
    const bot = await ownBot();
    await expectRefused(bot.token, () => save(bot, { scope: ['users', 'posts', 'email'], act_as_owner: [] }));
  });
});

describe('RT8: within a second the API refuses what a grant gives no more', () => {
  test('when the person takes a scope back; the next one has less', async () => {
    const app = await letIn();
    const path = `/account/applications/${app.clientId}`;
    await expectRefused(app.accessToken, () => press(path, 'change-application', { scope: [] }));
    const { json } = await app.refresh(app.refreshToken);
    expect(json.scope).toBe('users posts');
    await expectLiving(async () => json.access_token);
  });

  test('when its grant comes to its end, whatever the clocks of the servers say', async () => {
    const app = await letIn();
    const endsAt = new Date(Date.now() + 1500);
    // As of a consent for one hour that was given almost an hour ago; the token says it lives longer.
    await servers.database.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { endsAt } });
    const waitMs = endsAt.getTime() - Date.now();
    await expectRefused(app.accessToken, () => delay(waitMs), waitMs);
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
  });

  test('when the application gives a scope of its grant back', async () => {
    const app = await letIn();
    const token = app.accessToken;
    const { items } = await servers.askApi(0, { target: 'GET /account/grants', token });
    const narrow = { target: 'POST /account/grants/narrow', token, body: { id: items[0].id, scope: 'users posts' } };
    await expectRefused(token, () => servers.askApi(1, narrow));
    expect((await app.refresh(app.refreshToken)).json.scope).toBe('users posts');
  });
});

async function save({ clientId }: Credentials, values: Readonly<Record<string, string | readonly string[]>>) {
  const page = await browser.open(`/developer/applications/${clientId}`);
  expect((await browser.submit(page, page.formWith('action', 'save'), values)).status).toBe(200);
}

/** A token that is issued after the change is good, and stays so. */
async function expectLiving(issue: () => Promise<string>): Promise<void> {
  const token = await issue();
  await delay(1100);
  expect(await Promise.all([servers.callApi(0, token), servers.callApi(1, token)])).toEqual([200, 200]);
}

// The last one: there is no other key to sign with.
test('KY2 within a second the API refuses what a key signed that is revoked', async () => {
  const bot = await ownBot();
  const { kid } = JSON.parse(Buffer.from(bot.token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
  await expectRefused(bot.token, async () => {
    await servers.database.db.prisma.signingKey.update({ where: { kid }, data: { state: 'revoked' } });
  });
});
