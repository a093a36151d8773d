import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createRemoteJWKSet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { createClient, password } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import { operate } from '../support/operator.ts';

/**
 * APIs of developers, as docs/api/oauth.md shows them: one verifies tokens by the published keys, another introspects them.
 * An application finds each by its protected resource metadata (RFC 9728), and a person signs in and consents.
 */

const redirectUri = 'http://127.0.0.1:4000/callback';
const scope = 'notes:read';

let issuer: string;
let application: Client;
let server: Client;

beforeAll(async () => {
  issuer = inject('service').baseUrl;
  const { env } = inject('service');
  application = await createClient(env, 'reads_notes', ['--redirect-uri', redirectUri]);
  server = await createClient(env, 'keeps_notes');
});

/** The person's id and the scopes of a token; undefined if it is not accepted. */
type CheckToken = (token: string, identifier: string) => Promise<{ subject: string; scopes: string[] } | undefined>;

const verify: CheckToken = async (token, audience) => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
    return { subject: payload.sub ?? '', scopes: String(payload['scope']).split(' ') };
  } catch {
    return undefined;
  }
};

const introspect: CheckToken = async (token, audience) => {
  const authorization = `Basic ${Buffer.from(`${server.id}:${server.secret}`).toString('base64')}`;
  const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams({ token }) };
  const found: unknown = await (await fetch(`${issuer}/oauth/introspect`, request)).json();
  const { active, aud, sub, scope: granted } = found as Readonly<Record<string, unknown>>; // RFC 7662 §2.2
  return active === true && aud === audience ? { subject: String(sub), scopes: String(granted).split(' ') } : undefined;
};

interface RunningApi {
  readonly identifier: string;
  readonly read: (token?: string) => Promise<Response>;
}

/** Starts an API and registers it with `linnet api create`. */
async function startApi(checkToken: CheckToken): Promise<RunningApi> {
  const listening = createServer();
  onTestFinished(() => void listening.close());
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const identifier = `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}/mcp`;
  serve(listening, identifier, checkToken);
  const args = ['--owner', 'keeps_notes', '--name', 'Notes', '--identifier', identifier, '--client-id', server.id];
  const scopes = ['--scope', 'notes:read Read your notes', '--scope', 'notes:write Write your notes'];
  const { exitCode, stderr } = await operate(['api', 'create', ...args, ...scopes], inject('service').env);
  expect([exitCode, stderr]).toEqual([0, '']);
  const read = async (token?: string) =>
    await fetch(identifier, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  return { identifier, read };
}

function serve(listening: Server, identifier: string, checkToken: CheckToken): void {
  const metadata = new URL('/.well-known/oauth-protected-resource/mcp', identifier).href;
  const respond = async (request: IncomingMessage) => {
    if (request.url === new URL(metadata).pathname) {
      return {
        status: 200,
        body: { resource: identifier, authorization_servers: [issuer], scopes_supported: [scope] },
      };
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const caller = token === undefined ? undefined : await checkToken(token, identifier);
    if (caller === undefined) return { status: 401, body: {} };
    return { status: caller.scopes.includes(scope) ? 200 : 403, body: { notesOf: caller.subject } };
  };
  listening.on('request', (request, response) => {
    void respond(request).then(({ status, body }) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 401 ? { 'www-authenticate': `Bearer resource_metadata="${metadata}"` } : {}),
      });
      response.end(JSON.stringify(body));
    });
  });
}

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const authorization = `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString('base64')}`;
  const response = await fetch(issuer + path, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(form),
  });
  return (await response.json()) as Readonly<Record<string, unknown>>; // RFC 6749 §5
}

/** Follows the metadata of the API to its authorization server, where the person signs in and consents. */
async function connect({ read }: RunningApi, requested: string) {
  const challenge = (await read()).headers.get('www-authenticate') ?? '';
  const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  const metadata = (await (await fetch(address)).json()) as Readonly<Record<string, string>>; // RFC 9728 §2
  expect(metadata['authorization_servers']).toEqual([issuer]);
  const request = {
    ...{
      client_id: application.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: requested,
      prompt: 'consent',
    },
    resource: metadata['resource'] ?? '',
  };
  const browser = createHttpBrowser([issuer]);
  const login = await browser.open(`${issuer}/oauth/authorize?${new URLSearchParams(request).toString()}`);
  const consent = await browser.submit(login, 'login', { login: 'reads_notes', password });
  expect(consent.html).toContain('data-testid="outside-api"');
  const { url } = await browser.submit(consent, 'decision', { decision: 'allow' });
  const code = url.searchParams.get('code') ?? '';
  const tokens = await post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  return { accessToken: String(tokens['access_token']), refreshToken: String(tokens['refresh_token']) };
}

describe.each([
  ['verifies tokens by the published keys', verify],
  ['introspects tokens', introspect],
])('an API that %s', (_, checkToken) => {
  test('accepts a token for it, with its scopes, and no token for another', async () => {
    const [api, other] = [await startApi(checkToken), await startApi(checkToken)];
    const { accessToken, refreshToken } = await connect(api, scope);
    const response = await api.read(accessToken);
    expect([response.status, await response.json()]).toEqual([200, { notesOf: expect.stringMatching(/^\d+$/) }]);
    expect((await other.read(accessToken)).status).toBe(401);
    const own = await post('/oauth/token', { grant_type: 'client_credentials' });
    expect((await api.read(String(own['access_token']))).status).toBe(401);
    const authorization = `Bearer ${accessToken}`;
    const me = await fetch(`${issuer}/api/v2.0/account/export`, { method: 'POST', headers: { authorization } });
    expect(me.status).toBe(401);
    const { accessToken: writing } = await connect(api, 'notes:write');
    expect((await api.read(writing)).status).toBe(403);
    const refreshed = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    expect((await api.read(String(refreshed['access_token']))).status).toBe(200);
  });
});

test('an API that introspects rejects a revoked token at once, also that of a deleted API', async () => {
  const api = await startApi(introspect);
  const { accessToken } = await connect(api, scope);
  expect((await api.read(accessToken)).status).toBe(200);
  await post('/oauth/revoke', { token: accessToken });
  expect((await api.read(accessToken)).status).toBe(401);
  const second = await connect(api, scope);
  expect((await api.read(second.accessToken)).status).toBe(200);
  expect((await operate(['api', 'delete', api.identifier], inject('service').env)).exitCode).toBe(0);
  expect((await api.read(second.accessToken)).status).toBe(401);
});
