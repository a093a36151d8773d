import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { createBrowser } from '@linnet/test/auth/browser';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import type { SignInProvider } from '@linnet/service/config/variables';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createConfigure, orFailed, readResponse } from './upstream-client.ts';

/** What providers do wrong with HTTP, at each of their endpoints, and with the real client. */

type Place = 'metadata' | 'token' | 'jwks' | 'userinfo';

const html = { type: 'text/html', body: '<h1>Maintenance</h1>' };
const faults = {
  closes: (_: unknown, response: ServerResponse) => void response.destroy(),
  stalls: () => undefined,
  stops: (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":'),
  fails: (_: unknown, response: ServerResponse) => void response.writeHead(500).end('{}'),
  'answers with HTML': (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': html.type }).end(html.body),
  redirects: (_: unknown, response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  'never ends': (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => response.write(' '.repeat(65_536), more);
    more();
  },
  'has another issuer': (_: unknown, response: ServerResponse) =>
    send(response, { issuer: `${origin}/another`, jwks_uri: `${origin}/jwks` }),
  'has no keys': (_: unknown, response: ServerResponse) => send(response, { keys: [] }),
  'has another key': (_: unknown, response: ServerResponse) => send(response, { keys: [otherKey] }),
  'knows another person': (_: unknown, response: ServerResponse) => send(response, { sub: 'somebody else' }),
} as const;

type Fault = keyof typeof faults;

/** Those that the client ends by itself when the time is over. */
const slow = new Set<Fault>(['stalls', 'stops']);

const rows: readonly (readonly [place: Place, fault: Fault, problem: 'unavailable' | 'refused'])[] = [
  ...(['metadata', 'token', 'jwks', 'userinfo'] as const).flatMap((place) => [
    [place, 'closes', 'unavailable'] as const,
    [place, 'stalls', 'unavailable'] as const,
    [place, 'stops', 'unavailable'] as const,
    [place, 'fails', 'unavailable'] as const,
    [place, 'answers with HTML', 'refused'] as const,
    [place, 'redirects', 'refused'] as const,
    [place, 'never ends', 'refused'] as const,
  ]),
  ['metadata', 'has another issuer', 'refused'],
  ['jwks', 'has no keys', 'refused'],
  ['jwks', 'has another key', 'refused'],
  ['userinfo', 'knows another person', 'refused'],
];
const quick = rows.filter(([, fault]) => !slow.has(fault));

const cleanup = new AsyncDisposableStack();
let server: Server;
let origin: string;
let auth: RunningAuth;
let ownKey: object;
let otherKey: object;
let privateKey: CryptoKey;
/** The providers that have done wrong. */
const reached = new Set<string>();

const idOf = (place: Place, fault: Fault) => `${place}-${fault.toLowerCase().replaceAll(' ', '-')}`;

function providerOf(id: string): SignInProvider {
  return {
    ...{ id, name: id, issuer: `${origin}/${id}`, clientId: 'linnet', clientSecret: new Secret('a secret') },
    ...{ scope: 'openid email', signUp: 'open' },
  };
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The first part of the path is a provider, which does wrong at one place. The code is the nonce. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, id = '', ...rest] = new URL(request.url ?? '/', origin).pathname.split('/');
  const place = rest[0] === '.well-known' ? 'metadata' : rest[0];
  const issuer = `${origin}/${id}`;
  const row = rows.find(([at, fault]) => at === place && idOf(at, fault) === id);
  if (row !== undefined) {
    reached.add(id);
    faults[row[1]](request, response);
  } else if (place === 'metadata') {
    const endpoints = { token_endpoint: `${issuer}/token`, userinfo_endpoint: `${issuer}/userinfo` };
    send(response, { issuer, authorization_endpoint: `${issuer}/`, jwks_uri: `${issuer}/jwks`, ...endpoints });
  } else if (place === 'jwks') send(response, { keys: [ownKey] });
  else if (place === 'userinfo') send(response, { sub: 'grace' });
  else {
    const nonce = new URLSearchParams(await text(request)).get('code');
    const claims = {
      iss: issuer,
      aud: 'linnet',
      sub: 'grace',
      email: 'grace@example.org',
      email_verified: true,
      nonce,
    };
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).setIssuedAt();
    const idToken = await token.setExpirationTime('5m').sign(privateKey);
    send(response, { access_token: 'x', token_type: 'Bearer', id_token: idToken });
  }
}

beforeAll(async () => {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  ({ privateKey } = own);
  ownKey = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  otherKey = { ...(await exportJWK(other.publicKey)), kid: 'two', alg: 'RS256', use: 'sig' };
  server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : undefined)}`;
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const signInProviders = [...quick.map(([place, fault]) => idOf(place, fault)), 'faultless'].map(providerOf);
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, signInProviders }));
});
afterAll(() => cleanup.disposeAsync());

/** Goes to the provider and, if that is possible, comes back. */
async function signIn(id: string) {
  const browser = createBrowser(auth);
  const login = await browser.open('/login');
  const left = await browser.submit(login, login.formWith('provider'), { provider: id });
  const { searchParams: asked } = left.url;
  const back = new URLSearchParams({ state: asked.get('state') ?? '', code: asked.get('nonce') ?? '' });
  const { isElsewhere: hasLeft } = left;
  const page = hasLeft ? await browser.open(`${asked.get('redirect_uri') ?? ''}?${back.toString()}`) : left;
  return { browser, page, hasLeft };
}

test('a provider that does nothing wrong leads to the registration', async () => {
  const { page } = await signIn('faultless');
  expect([page.url.pathname, page.text]).toEqual(['/login/provider', expect.stringContaining('grace@example.org')]);
});

describe('a provider that does wrong', () => {
  test.each(quick)('the %s endpoint %s: a page says %s, and nothing is stored', async (place, fault, problem) => {
    const { browser, page, hasLeft } = await signIn(idOf(place, fault));
    expect(reached.has(idOf(place, fault))).toBe(true);
    const [status, title] =
      problem === 'unavailable' ? [503, 'The other service does not respond'] : [400, 'The sign-in failed'];
    expect([hasLeft, page.status, page.title]).toEqual([place !== 'metadata', status, expect.stringContaining(title)]);
    expect((await browser.open('/login/provider')).url.pathname).toBe('/login');
    const { account, upstreamIdentity, session } = auth.db.prisma;
    expect([
      await account.count({ where: { emailCi: 'grace@example.org' } }),
      await upstreamIdentity.count(),
      await session.count({ where: { NOT: { accountId: null } } }),
    ]).toEqual([0, 0, 0]);
  });

  test.each(rows.filter(([, fault]) => slow.has(fault)))(
    'the %s endpoint %s: it is %s when the time of the client is over',
    async (place, fault, problem) => {
      const provider = providerOf(idOf(place, fault));
      const configure = createConfigure({ userAgent: 'Linnet', allow: [], timeoutMs: 300 });
      const work = async () => {
        const address = new URL('http://localhost/callback?state=state&code=nonce');
        const begun = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) };
        return await readResponse(await configure(provider), address, begun);
      };
      await expect(orFailed(work())).rejects.toMatchObject({ name: 'ProviderFailed', problem });
    },
  );
});
