import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** One person, two browsers, one application: what ends the sign-in of the first, and what ends both. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browsers: readonly [Browser, Browser];
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  const ada = await registerPerson(auth.db, `chain_${String(people)}`);
  browsers = [createBrowser(auth), createBrowser(auth)];
  for (const browser of browsers) await signIn(browser, ada);
});

interface SignIn {
  readonly callback: Page;
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface World {
  readonly app: Connected;
  readonly first: SignIn;
}

async function signInTo(app: Connected, browser: Browser): Promise<SignIn> {
  const callback = await app.authorize(browser);
  const { json } = await app.exchange(callback);
  return { callback, accessToken: json.access_token, refreshToken: String(json['refresh_token']) };
}

/** As time passes: what was used was used 11 s ago. */
async function wait({ app }: World): Promise<void> {
  const { clientId } = app;
  await auth.db.prisma
    .$executeRaw`UPDATE oauth_artifact SET consumed_at = consumed_at - interval '11 s' WHERE payload ->> 'clientId' = ${clientId}`;
}

async function manage({ app }: World, path: string, token: string): Promise<Answer> {
  const credentials = app.clientSecret === undefined ? {} : basic(app.clientId, app.clientSecret);
  const body = new URLSearchParams({ token, ...(app.clientSecret === undefined && { client_id: app.clientId }) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials };
  return await auth.send({ method: 'POST', path, headers, body: body.toString() });
}

/** `userinfo` refuses an access token from the response on that ended it. */
async function isAccepted(token: string): Promise<boolean> {
  const { status } = await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } });
  return status === 200;
}

async function isAlive(world: World, { accessToken, refreshToken }: SignIn): Promise<readonly boolean[]> {
  const token = await isAccepted(accessToken);
  return [token, (await world.app.refresh(refreshToken)).status === 200];
}

/** Whether the next authorization continues without the consent page. */
async function isConsentKept({ app }: World): Promise<boolean> {
  return (await app.send(browsers[1], { scope: 'users posts email' })).isElsewhere;
}

const scopes = { scopes: ['users', 'posts', 'email', 'openid'] };

type Event = (world: World) => Promise<unknown>;

const reuseRefreshToken: Event = async ({ app, first }) => {
  const { json } = await app.refresh(first.refreshToken);
  await app.refresh(String(json['refresh_token']));
  expect((await app.refresh(first.refreshToken)).json['error']).toBe('invalid_grant');
};

const useReplaced: Event = async (world) => {
  const { app, first } = world;
  const { json } = await app.refresh(first.refreshToken);
  await wait(world);
  expect((await app.refresh(first.refreshToken)).status).toBe(200);
  expect((await app.refresh(String(json['refresh_token']))).json['error']).toBe('invalid_grant');
};

describe('what ends', () => {
  test.each<[string, Event, { readonly first: boolean; readonly second: boolean; readonly consent: boolean }]>([
    [
      'a code that is repeated after 11 s',
      async (world) => {
        await wait(world);
        expect((await world.app.exchange(world.first.callback)).json['error']).toBe('invalid_grant');
      },
      { first: false, second: true, consent: true },
    ],
    [
      'a code that is repeated after its refresh token was used',
      async ({ app, first }) => {
        await app.refresh(first.refreshToken);
        expect((await app.exchange(first.callback)).json['error']).toBe('invalid_grant');
      },
      { first: false, second: true, consent: true },
    ],
    [
      'a refresh token that is repeated after its successor was used',
      reuseRefreshToken,
      { first: false, second: true, consent: true },
    ],
    ['a refresh token that was replaced after 11 s', useReplaced, { first: false, second: true, consent: true }],
    [
      'a refresh token that is revoked',
      async (world) => await manage(world, '/oauth/revoke', world.first.refreshToken),
      { first: false, second: true, consent: true },
    ],
    [
      'the consent that the person revokes',
      async () => {
        const page = await browsers[0].open('/account/applications');
        await browsers[0].submit(page, page.formOf('revoke-application'));
      },
      { first: false, second: false, consent: false },
    ],
  ])('%s', async (_event, happen, { first, second, consent }) => {
    const app = await connect(auth, browsers[0], scopes);
    const world = { app, first: await signInTo(app, browsers[0]) };
    const other = await signInTo(app, browsers[1]);
    await happen(world);
    expect(await isAccepted(world.first.accessToken)).toBe(first);
    const introspected = await manage(world, '/oauth/introspect', world.first.accessToken);
    expect(introspected.json['active']).toBe(first);
    expect(await isAlive(world, other)).toEqual([second, second]);
    expect(await isAlive(world, world.first)).toEqual([first, first]);
    expect(await isConsentKept(world)).toBe(consent);
  });

  test('the last sign-in that an application revokes takes the grant with it', async () => {
    const app = await connect(auth, browsers[0], scopes);
    const world = { app, first: await signInTo(app, browsers[0]) };
    const granted = async () =>
      await auth.db.prisma.grant.count({ where: { clientId: app.clientId, revokedAt: null } });
    await manage(world, '/oauth/revoke', app.refreshToken);
    expect(await granted()).toBe(1);
    await manage(world, '/oauth/revoke', world.first.refreshToken);
    expect(await granted()).toBe(0);
  });

  test('D183 a refresh whose successor was never stored keeps the grant', async () => {
    const app = await connect(auth, browsers[0], scopes);
    const world = { app, first: await signInTo(app, browsers[0]) };
    await app.refresh(app.refreshToken);
    const { clientId } = app;
    await auth.db.prisma.$executeRaw`DELETE FROM oauth_artifact s USING oauth_artifact a
      WHERE s.id_sha256 = a.successor_sha256 AND a.kind = s.kind AND a.payload ->> 'clientId' = ${clientId}`;
    await manage(world, '/oauth/revoke', world.first.refreshToken);
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
  });
});

describe('a code that is repeated within 10 s', () => {
  test('gets the same refresh token, also at the same time, and everything continues', async () => {
    const app = await connect(auth, browsers[0], scopes);
    const callback = await app.authorize(browsers[0]);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await app.exchange(callback)));
    const [first] = answers;
    if (first === undefined) throw new Error('there are ten');
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ json }) => json['refresh_token'])).size).toBe(1);
    for (const { json } of answers) expect(await isAccepted(json.access_token)).toBe(true);
    expect((await app.refresh(String(first.json['refresh_token']))).status).toBe(200);
  });

  test.each<[string, (app: Connected, callback: Page) => Promise<Answer>]>([
    [
      'asks for another resource',
      async (app, { url }) =>
        await auth.requestToken(
          {
            grant_type: 'authorization_code',
            code: url.searchParams.get('code') ?? '',
            redirect_uri: app.redirectUri,
            resource: `${auth.baseUrl}/api/v2.0`,
          },
          basic(app.clientId, app.clientSecret),
        ),
    ],
    [
      'has another redirect URI',
      async (app, { url }) =>
        await auth.requestToken(
          {
            grant_type: 'authorization_code',
            code: url.searchParams.get('code') ?? '',
            redirect_uri: `${app.redirectUri}/other`,
          },
          basic(app.clientId, app.clientSecret),
        ),
    ],
  ])('is refused if the request %s', async (_change, repeat) => {
    const app = await connect(auth, browsers[0], scopes);
    const callback = await app.authorize(browsers[0]);
    expect((await app.exchange(callback)).status).toBe(200);
    expect((await repeat(app, callback)).json['error']).toBe('invalid_grant');
  });

  test('by a public application ends its chain, and no other', async () => {
    const app = await connect(auth, browsers[0], { ...scopes, type: 'public' });
    const world = { app, first: await signInTo(app, browsers[0]) };
    const other = await signInTo(app, browsers[1]);
    expect((await app.exchange(world.first.callback)).json['error']).toBe('invalid_grant');
    expect(await isAlive(world, world.first)).toEqual([false, false]);
    expect(await isAlive(world, other)).toEqual([true, true]);
  });
});

test('connected apps show how many sign-ins can get tokens', async () => {
  const app = await connect(auth, browsers[0], scopes);
  const world = { app, first: await signInTo(app, browsers[0]) };
  await signInTo(app, browsers[1]);
  const shown = async () => /(\d+) active sign-ins/.exec((await browsers[0].open('/account/applications')).text)?.[1];
  expect(await shown()).toBe('3');
  await manage(world, '/oauth/revoke', world.first.refreshToken);
  expect(await shown()).toBe('2');
});
