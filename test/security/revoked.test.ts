import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { connect } from '../support/auth/connected.ts';
import type { Connected } from '../support/auth/connected.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import type { Person } from '../support/auth/person.ts';
import { basic } from '../support/auth/running-auth.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { operate } from '../support/operator.ts';
import { observeRejection, startRevocationServers } from '../support/revocation-servers.ts';
import type { Credentials, RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';

/** Two API servers that verify tokens without the database reject a token within one second of its revocation. */

let servers: RevocationServers;
let person: Person;
let browser: Browser;
let count = 0;
const delays: number[] = [];

beforeAll(async () => {
  servers = await startRevocationServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
});
afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  if (delays.length === 0) return;
  const worst = Math.max(...delays);
  const middle = delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? 0;
  process.stdout.write(
    `from the revoking request to the last accepted one: ${String(delays.length)} measurements, median ${middle.toFixed(0)} ms, worst ${worst.toFixed(0)} ms\n`,
  );
});
beforeEach(async () => {
  count += 1;
  person = await registerPerson(servers.database.db, `revocable_${String(count)}`);
  browser = createBrowser(servers.auth);
  await signIn(browser, person);
});

/** Authorizes an application; by default, one of another owner. */
async function authorize(application: Parameters<typeof connect>[2] = {}): Promise<Connected> {
  return await connect(servers.auth, browser, application);
}

async function createBot(): Promise<Required<Credentials> & { readonly token: string }> {
  const { clientId, clientSecret } = await servers.auth.register({ owner: person.username, actAsOwner: true });
  return { clientId, clientSecret, token: await issueToken({ clientId, clientSecret }) };
}

async function issueToken({ clientId, clientSecret }: Credentials): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  return (await servers.auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

/**
 * Both servers accept the token. After the change, neither accepts a request that is sent more than a second later. `otherwise`: how
 * else they may refuse until they know of the revocation.
 */
async function expectRevoked(token: string, change: () => Promise<unknown>, otherwise = 401): Promise<void> {
  expect(await decideBoth(token)).toEqual([200, 200]);
  const startedAt = performance.now();
  const [done, { acceptedUntil, others }] = await Promise.all([
    change().then(() => performance.now()),
    observeRejection(servers, token),
  ]);
  expect(others.filter((status) => status !== otherwise)).toEqual([]);
  expect(Math.max(...acceptedUntil) - done).toBeLessThan(1000);
  // From the request, not from its response: some responses wait until every process has read the change.
  for (const until of acceptedUntil) delays.push(until - startedAt);
}

async function decideBoth(token: string): Promise<readonly number[]> {
  return await Promise.all([servers.decideApi(0, token), servers.decideApi(1, token)]);
}

async function submit(path: string, testId: string, values = {}): Promise<Page> {
  const page = await browser.open(path);
  const answer = await browser.submit(page, page.formOf(testId), values);
  expect(answer.status).toBe(200);
  return answer;
}

async function linnet(...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await operate([...args, '--json'], servers.env);
  expect([exitCode, stderr]).toEqual([0, '']);
}

describe('RT8 RT9: within a second, the API rejects a token', () => {
  test('when it is revoked; other tokens of the grant keep working', async () => {
    const bot = await createBot();
    const another = await issueToken(bot);
    await expectRevoked(bot.token, () => servers.manage('/oauth/revoke', bot, { token: bot.token }));
    expect(await servers.decideApi(0, another)).toBe(200);
  });

  test('when the refresh token of its grant is revoked', async () => {
    const app = await authorize({ type: 'public' });
    await expectRevoked(app.accessToken, () => servers.manage('/oauth/revoke', app, { token: app.refreshToken }));
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
  });

  test('when a refresh token is reused after its successor was used', async () => {
    const app = await authorize();
    const { json } = await app.refresh(app.refreshToken);
    const { json: latest } = await app.refresh(String(json['refresh_token']));
    await expectRevoked(latest.access_token, () => app.refresh(app.refreshToken));
  });

  test('when its authorization code is reused; the other sign-in continues', async () => {
    const app = await authorize({ type: 'public' });
    const callback = await app.authorize(browser);
    const { json } = await app.exchange(callback);
    await expectRevoked(json.access_token, () => app.exchange(callback));
    expect(await decideBoth(app.accessToken)).toEqual([200, 200]);
  });

  test('when the person revokes access of the application', async () => {
    const app = await authorize();
    await expectRevoked(app.accessToken, () => submit('/account/applications', 'revoke-application'));
  });

  test('when the person signs out everywhere; an application no longer acts as its owner', async () => {
    const app = await authorize();
    const bot = await createBot();
    await expectRevoked(bot.token, () => submit('/account/sessions', 'end-all-sessions'));
    expect(await servers.decideApi(1, app.accessToken)).toBe(401);
    // Without an account, /users/show asks for an id. Until the authorization server has heard of the change, too, its tokens are refused.
    await eventually(
      'new tokens no longer act as the owner',
      async () => (await servers.decideApi(1, await issueToken(bot))) === 400,
    );
  });

  test('when the person changes the password', async () => {
    const app = await authorize();
    const values = { current_password: person.password, new_password: 'a password that is new' };
    await expectRevoked(app.accessToken, () => submit('/account/password', 'change-password', values));
  });
});

describe('RT8 RT9: within a second, the API rejects a token of an application', () => {
  test('when an operator suspends the account; after restoring it, only new tokens work', async () => {
    const app = await authorize();
    await expectRevoked(
      app.accessToken,
      async () => {
        const data = { suspendedAt: new Date(), epoch: { increment: 1 } };
        await servers.database.db.prisma.account.update({ where: { id: person.id }, data });
        // The account is hidden at once.
      },
      404,
    );
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
    const afterSignIn = await signIn(createBrowser(servers.auth), person);
    expect(afterSignIn.url.pathname).toBe('/login/restore');
    await linnet('user', 'suspend', person.username);
    await linnet('user', 'restore', person.username);
    const { json } = await app.refresh(app.refreshToken);
    await expectActive(async () => json.access_token);
    expect(await servers.decideApi(0, app.accessToken)).toBe(401);
  });

  test('when an operator suspends the owner of the application; after restoring it, only new tokens work', async () => {
    const owner = await registerPerson(servers.database.db, `suspended_owner_${String(count)}`);
    const app = await authorize({ owner: owner.username });
    const { clientId, clientSecret } = await servers.auth.register({ owner: owner.username });
    const bot = { clientId, clientSecret: clientSecret ?? '' };
    await servers.requestApi(0, { target: `GET /users/show?id=${String(person.id)}`, token: await issueToken(bot) });
    await expectRevoked(app.accessToken, async () => await linnet('user', 'suspend', owner.username));
    const credentials = basic(bot.clientId, bot.clientSecret);
    const isUnknown = async () => {
      const { json } = await servers.auth.requestToken({ grant_type: 'client_credentials' }, credentials);
      return (
        json['error'] === 'invalid_client' && (await app.refresh(app.refreshToken)).json['error'] === 'invalid_client'
      );
    };
    await eventually('its applications get no tokens', isUnknown);
    expect((await app.send(browser)).status).toBe(400);
    await linnet('user', 'restore', owner.username);
    await eventually('its applications are known again', async () => (await issueToken(bot)) !== undefined);
    await eventually('their grants work again', async () => (await app.refresh(app.refreshToken)).status === 200);
    expect(await servers.decideApi(0, app.accessToken)).toBe(401);
  });

  test('when an operator suspends the application; after restoring it, only new tokens work', async () => {
    const bot = await createBot();
    await expectRevoked(bot.token, async () => {
      expect(await createApplications(servers.database.db).suspend(bot.clientId)).toBe(true);
    });
    const credentials = basic(bot.clientId, bot.clientSecret);
    const isUnknown = async () => {
      const { status, json } = await servers.auth.requestToken({ grant_type: 'client_credentials' }, credentials);
      return status === 401 && json['error'] === 'invalid_client';
    };
    await eventually('the application gets no token', isUnknown);
    await linnet('app', 'suspend', bot.clientId);
    await linnet('app', 'restore', bot.clientId);
    await eventually('the application is known again', async () => (await issueToken(bot)) !== undefined);
    await expectActive(() => issueToken(bot));
    expect(await servers.decideApi(0, bot.token)).toBe(401);
  });

  test('when its application is deleted', async () => {
    const bot = await createBot();
    const values = { confirm: 'Revocable' };
    await expectRevoked(bot.token, () =>
      submit(`/developer/applications/${bot.clientId}`, 'delete-application', values),
    );
  });

  test('when a secret of its application is retired; the other secret works', async () => {
    const bot = await createBot();
    const path = `/developer/applications/${bot.clientId}`;
    const shown = await submit(path, 'add-secret');
    const clientSecret = /data-testid="client-secret"[^>]*>([^<]*)</.exec(shown.html)?.[1] ?? '';
    await expectRevoked(bot.token, () => submit(path, 'retire-secret'));
    await expectActive(() => issueToken({ ...bot, clientSecret }));
  });

  test('when its application loses a scope', async () => {
    const bot = await createBot();
    await expectRevoked(bot.token, () => save(bot, { scope: ['users'], act_as_owner: 'on' }));
    await expectActive(() => issueToken(bot));
  });

  test('when its application stops acting as its owner', async () => {
    const bot = await createBot();
    await expectRevoked(bot.token, () => save(bot, { scope: ['users', 'posts', 'email'], act_as_owner: [] }));
  });
});

describe('RT8: within a second, the API rejects tokens with more than their grant', () => {
  test('when the person removes a scope; the next token lacks it', async () => {
    const app = await authorize();
    const path = `/account/applications/${app.clientId}`;
    await expectRevoked(app.accessToken, () => submit(path, 'change-application', { scope: [] }));
    const { json } = await app.refresh(app.refreshToken);
    expect(json.scope).toBe('users posts');
    await expectActive(async () => json.access_token);
  });

  test('when the grant expires, by the clock of the database', async () => {
    const app = await authorize();
    const { grant } = servers.database.db.prisma;
    // Like a consent for one hour, given almost an hour ago: the token expires later than its grant.
    const expire = async () => {
      await grant.updateMany({ where: { clientId: app.clientId }, data: { endsAt: new Date(Date.now() + 300) } });
      // A job of the authorization server ends it, every half second.
      const isRevoked = async () => (await grant.count({ where: { clientId: app.clientId, revokedAt: null } })) === 0;
      await eventually('the grant is ended', isRevoked);
    };
    await expectRevoked(app.accessToken, expire);
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
  });

  test('when the application gives up a scope of its grant', async () => {
    const app = await authorize();
    const token = app.accessToken;
    const { items } = await servers.requestApi(0, { target: 'GET /account/grants', token });
    const narrow = { target: 'POST /account/grants/narrow', token, body: { id: items[0].id, scope: 'users posts' } };
    await expectRevoked(token, () => servers.requestApi(1, narrow));
    expect((await app.refresh(app.refreshToken)).json.scope).toBe('users posts');
  });
});

async function save({ clientId }: Credentials, values: Readonly<Record<string, string | readonly string[]>>) {
  const page = await browser.open(`/developer/applications/${clientId}/settings`);
  expect((await browser.submit(page, page.formWith('action', 'save'), values)).status).toBe(200);
}

/**
 * New tokens work again once the authorization server has read the change too, and stay active when the API servers
 * have read it.
 */
async function expectActive(issue: () => Promise<string>): Promise<void> {
  let token = '';
  await eventually('a new token works', async () => {
    token = await issue();
    return (await decideBoth(token)).every((status) => status === 200);
  });
  await delay(1100);
  expect(await decideBoth(token)).toEqual([200, 200]);
}

// Comes last: afterwards, no key is left to sign with.
test('KY2 within a second, the API rejects tokens of a revoked signing key', async () => {
  const bot = await createBot();
  const { kid } = JSON.parse(Buffer.from(bot.token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
  await expectRevoked(bot.token, async () => {
    await servers.database.db.prisma.signingKey.update({ where: { kid }, data: { state: 'revoked' } });
  });
});
