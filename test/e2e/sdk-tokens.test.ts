import { createApplication, createLinnet, memoryStore } from '@linnet/sdk';
import type { Application, SignInAttempt, Tokens, TokenStore } from '@linnet/sdk';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createHttpBrowser } from '../support/http-browser.ts';
import type { HttpBrowser } from '../support/http-browser.ts';
import { createClient, password } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';

/** The SDK refreshes tokens at the running service: before they expire, once, and even if responses are lost. */

const redirectUri = 'http://127.0.0.1:4000/callback';
const username = 'keeps_tokens';

let issuer: string;
let client: Client;
let browser: HttpBrowser;

beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  issuer = baseUrl;
  client = await createClient(env, username, ['--redirect-uri', redirectUri]);
  browser = createHttpBrowser([issuer]);
});

/** A `fetch` that records requests and loses the next `lose` responses. */
interface Network {
  readonly sent: string[];
  lose: number;
  readonly fetch: typeof fetch;
}

/** @param lossy responses are lost only for paths that end with this */
function createNetwork(lossy = '/'): Network {
  const network: Network = {
    sent: [],
    lose: 0,
    fetch: async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      network.sent.push(pathname);
      const response = await fetch(input, init);
      if (network.lose === 0 || !pathname.endsWith(lossy)) return response;
      await response.arrayBuffer();
      network.lose -= 1;
      throw new TypeError('fetch failed');
    },
  };
  return network;
}

function applicationOn(network: Network = createNetwork()): Application {
  return createApplication({ issuer, clientId: client.id, clientSecret: client.secret, fetch: network.fetch });
}

/** Signs in and decides as the person. Returns the callback URL. */
async function authorize(url: URL, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
  let page = await browser.open(url);
  if (page.html.includes('name="login"')) page = await browser.submit(page, 'login', { login: username, password });
  if (page.url.origin === issuer) page = await browser.submit(page, 'decision', { decision });
  return page.url.href;
}

async function signIn(application: Application, scope = 'users posts'): Promise<Tokens> {
  const { url, attempt } = await application.beginSignIn({ redirectUri, scope });
  return await application.finishSignIn(await authorize(url), attempt);
}

/** The same tokens with an expired access token. */
function expire(tokens: Tokens): Tokens {
  return { ...tokens, expiresAt: 0 };
}

const tokenRequests = ({ sent }: Network) => sent.filter((path) => path === '/oauth/token').length;

async function revoke(token: string): Promise<void> {
  const store = memoryStore({ accessToken: token, expiresAt: 0, scope: '' });
  await applicationOn().signOut(store);
}

describe('a person', () => {
  test('signs in with an ID token, refreshes, and signs out', async () => {
    const application = applicationOn();
    const tokens = await signIn(application, 'openid users');
    expect(tokens).toMatchObject({
      scope: 'openid users',
      idToken: expect.any(String),
      refreshToken: expect.any(String),
    });
    const store = memoryStore(expire(tokens));
    const linnet = application.asPerson(store);
    expect((await linnet.users.show()).username).toBe(username);
    const fresh = await store.load();
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
    expect(fresh?.expiresAt).toBeGreaterThan(Date.now());
    await application.signOut(store);
    await expect(linnet.users.show()).rejects.toMatchObject({ name: 'SignInRequired', code: 'login_required' });
    const stale = memoryStore(fresh === undefined ? undefined : expire(fresh));
    await expect(application.asPerson(stale).users.show()).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await stale.load()).toBeUndefined();
  });

  test('refreshes once for concurrent requests, even from several objects', async () => {
    const network = createNetwork();
    const application = applicationOn(network);
    const store = memoryStore(expire(await signIn(application)));
    const before = tokenRequests(network);
    const shown = await Promise.all(
      Array.from({ length: 20 }, async () => await application.asPerson(store).users.show()),
    );
    expect(new Set(shown.map((account) => account.username))).toEqual(new Set([username]));
    expect(tokenRequests(network) - before).toBe(1);
  });

  test('survives lost responses: the same refresh token gets the same successor', async () => {
    const network = createNetwork('/oauth/token');
    const application = applicationOn(network);
    const store = memoryStore(expire(await signIn(application)));
    const linnet = application.asPerson(store);
    network.lose = 3;
    await linnet.users.show();
    expect(network.lose).toBe(0);
    // The grant is still active.
    await store.save(expire((await store.load()) ?? { accessToken: '', expiresAt: 0, scope: '' }));
    await linnet.users.show();
  });

  test('survives a store that fails after the refresh', async () => {
    const application = applicationOn();
    let kept: Tokens | undefined = expire(await signIn(application));
    let failures = 1;
    const store: TokenStore = {
      load: () => kept,
      save: (tokens) => {
        if (failures-- > 0) throw new Error('the disk is full');
        kept = tokens;
      },
    };
    await expect(application.asPerson(store).users.show()).rejects.toThrow('the disk is full');
    expect((await application.asPerson(store).users.show()).username).toBe(username);
  });

  test('gets another access token when the API rejects the current one', async () => {
    const application = applicationOn();
    const tokens = await signIn(application);
    const store = memoryStore(tokens);
    const wrong = memoryStore({ ...tokens, accessToken: `${tokens.accessToken}x` });
    expect((await application.asPerson(wrong).users.show()).username).toBe(username);
    expect((await wrong.load())?.accessToken).not.toBe((await store.load())?.accessToken);
  });
});

describe('an authorization response', () => {
  const invalidResponses: readonly (readonly [what: string, code: string, spoil: (url: string) => string])[] = [
    ['of another attempt', 'invalid_answer', (url) => url.replace(/state=[^&]+/, 'state=other')],
    ['of another server', 'invalid_answer', (url) => url.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['without its server', 'invalid_answer', (url) => url.replace(/&?iss=[^&]+/, '')],
    ['with a wrong code', 'invalid_grant', (url) => url.replace(/code=[^&]+/, 'code=wrong')],
  ];

  test.each(invalidResponses)('%s is rejected', async (_what, code, spoil) => {
    const application = applicationOn();
    const { url, attempt } = await application.beginSignIn({ redirectUri, scope: 'users' });
    const callback = spoil(await authorize(url));
    await expect(application.finishSignIn(callback, attempt)).rejects.toMatchObject({
      name: 'AuthorizationError',
      code,
    });
  });

  test('with the nonce of another attempt is rejected, with and without openid', async () => {
    for (const scope of ['users', 'openid users']) {
      const application = applicationOn();
      const { url, attempt } = await application.beginSignIn({ redirectUri, scope });
      const other: SignInAttempt = { ...attempt, nonce: 'other' };
      await expect(application.finishSignIn(await authorize(url), other)).rejects.toMatchObject({
        code: 'invalid_answer',
      });
    }
  });

  test('to a declined consent is access_denied', async () => {
    const application = applicationOn();
    const request = { redirectUri, scope: 'users', parameters: { prompt: 'consent' } };
    const { url, attempt } = await application.beginSignIn(request);
    await expect(application.finishSignIn(await authorize(url, 'deny'), attempt)).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('an application that acts as itself', () => {
  test('requests a token once for concurrent requests', async () => {
    const network = createNetwork();
    const linnet = applicationOn(network).asItself();
    await Promise.all(Array.from({ length: 10 }, async () => await linnet.users.show()));
    expect(tokenRequests(network)).toBe(1);
    await linnet.users.show();
    expect(tokenRequests(network)).toBe(1);
  });

  test('with a wrong secret gets invalid_client', async () => {
    const application = createApplication({ issuer, clientId: client.id, clientSecret: 'wrong' });
    await expect(application.asItself().users.show()).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'invalid_client',
      status: 401,
    });
  });

  test('writes once, even if responses are lost', async () => {
    const network = createNetwork('/post/create');
    const linnet = applicationOn(network).asItself();
    const me = await linnet.users.show();
    const { total } = await linnet.posts.list({ user_id: me.id });
    network.lose = 2;
    const { id } = await linnet.posts.create('once');
    expect(network.sent.filter((path) => path.endsWith('/post/create'))).toHaveLength(3);
    const list = await linnet.posts.list({ user_id: me.id });
    expect([list.total, list.items[0]?.id]).toEqual([total + 1, id]);
  });

  test('uploads a file, and gets the reason when one is rejected', async () => {
    const linnet = applicationOn().asItself();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    for (const file of [png, new Blob([png]), new Uint8Array(png).buffer]) {
      const media = await linnet.media.upload({ media: file });
      expect((await linnet.media.show({ id: media.media_id })).item_id).toBe(0);
    }
    await expect(linnet.media.upload({ media: new Blob(['no picture']) })).rejects.toMatchObject({
      code: 'image-refused',
    });
  });
});

test('reports a connection error when the service cannot be reached within the time limit', async () => {
  const linnet = createLinnet({ issuer: 'http://127.0.0.1:9', token: 'any', timeLimitMs: 1500 });
  await expect(linnet.users.show()).rejects.toMatchObject({ name: 'ConnectionError', code: 'no-answer' });
});

test('a revoked token is an error with its code', async () => {
  const { accessToken } = await signIn(applicationOn());
  const linnet = createLinnet({ issuer, token: accessToken });
  await linnet.users.show();
  await revoke(accessToken);
  await expect
    .poll(
      async () =>
        await linnet.users.show().then(
          () => 'succeeded',
          (error: unknown) => Reflect.get(Object(error), 'code'),
        ),
    )
    .toBe('invalid_token');
});
