import { expect } from 'vitest';

import { createApiCaller } from '../../support/api-client.ts';
import { retryUnavailable } from '../../support/service.ts';
import type { Rows } from '../row.ts';
import { postToken } from '../token-request.ts';
import type { World } from '../world.ts';

/** Access tokens for client credentials. */

const form = 'application/x-www-form-urlencoded';

interface TokenRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The token request of the specification, or one with other headers or another body. */
async function request(world: World, { headers = {}, body = 'grant_type=client_credentials' }: TokenRequest = {}) {
  const response = await postToken(world, body, { 'content-type': form, ...headers });
  return { status: response.status, body: await response.json() };
}

export const tokenRows: Rows = {
  'Token response': {
    'access_token |': async (world) => {
      const { body } = await request(world);
      expect((await createApiCaller(world.baseUrl, body.access_token)('GET /users/show')).status).toBe(200);
      expect(body).not.toHaveProperty('Access-Token');
    },
    'token_type |': async (world) => {
      expect((await request(world)).body.token_type).toBe('Bearer');
      const headers = { authorization: `bEARER ${world.alice.accessToken}`, accept: 'application/json' };
      const show = async () => await fetch(`${world.baseUrl}/api/v2.0/users/show`, { headers });
      expect((await retryUnavailable(show)).status).toBe(200);
    },
    'expires_in |': async (world) => expect((await request(world)).body.expires_in).toBe(3600),
    'scope |': async (world) => {
      expect((await request(world)).body.scope).toBe('users posts email');
      const narrower = await request(world, { body: 'grant_type=client_credentials&scope=posts+users' });
      expect(narrower.body.scope.split(' ').toSorted()).toEqual(['posts', 'users']);
      const capital = await request(world, { body: 'grant_type=client_credentials&scope=Posts' });
      expect([capital.status, capital.body.error]).toEqual([400, 'invalid_scope']);
    },
    // Decisions D18: the application's identifier.
    'app_id |': async (world) => expect((await request(world)).body.app_id).toBe(world.alice.client.id),
    // Decisions D48: present if the authorization request had one.
    'nonce |': async (world) => expect((await request(world)).body).not.toHaveProperty('nonce'),
  },
  'OAuth endpoints': {
    'POST {base_url}/oauth/token |': async (world) => {
      expect((await request(world)).status).toBe(200);
      expect((await fetch(`${world.baseUrl}/oauth/token`)).status).toBe(405);
    },
    'GET {base_url}/oauth/authorize |': async ({ baseUrl, alice, redirectUri }) => {
      const parameters = {
        client_id: alice.client.id,
        response_type: 'code',
        scope: 'users',
        redirect_uri: redirectUri,
      };
      const url = `${baseUrl}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
      const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect([302, 303]).toContain(response.status);
      expect(new URL(response.headers.get('location') ?? '', baseUrl).origin).toBe(new URL(baseUrl).origin);
    },
  },
  Authentication: {
    'The service uses OAuth 2.0.': async ({ baseUrl }) => {
      const metadata = await (await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)).json();
      expect(metadata).toMatchObject({
        token_endpoint: `${baseUrl}/oauth/token`,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
      });
    },
    // The tests of `test/e2e/browser` create one there. This test only checks that it requires a sign-in.
    'An application is created by the developer in a developer area': async ({ baseUrl, alice }) => {
      const page = await fetch(`${baseUrl}/developer`, { headers: { accept: 'text/html' } });
      expect([page.status, new URL(page.url).pathname]).toEqual([200, '/login']);
      expect([alice.client.id, alice.client.secret]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/.{20}/),
      ]);
    },
  },
  'Obtaining an access token (client credentials)': {
    'Send POST {base_url}/oauth/token.': async (world) => expect((await request(world)).status).toBe(200),
    'Header `Authorization`: HTTP Basic': async (world) => {
      const wrong = Buffer.from(`${world.alice.client.id}:wrong`).toString('base64');
      expect((await request(world, { headers: { authorization: `Basic ${wrong}` } })).status).toBe(401);
    },
    'Header `Accept: application/json`.': async (world) => {
      expect((await request(world, { headers: { accept: 'application/json' } })).status).toBe(200);
    },
    'The example also sends `Accept-Language`.': async (world) => {
      expect((await request(world, { headers: { 'accept-language': 'de' } })).status).toBe(200);
    },
    'Body, form-encoded with': async (world) => {
      const missing = await request(world, { body: 'scope=users' });
      expect([missing.status, missing.body.error]).toEqual([400, 'invalid_request']);
      const other = await request(world, { body: 'grant_type=password' });
      expect([other.status, other.body.error]).toEqual([400, 'unsupported_grant_type']);
    },
    'The response is the token response described above.': async (world) => {
      expect(Object.keys((await request(world)).body).toSorted()).toEqual(
        ['access_token', 'app_id', 'expires_in', 'scope', 'token_type'].toSorted(),
      );
    },
    'When `expires_in` seconds have passed': async (world) => {
      const first = (await request(world)).body.access_token;
      expect((await request(world)).body.access_token).not.toBe(first);
    },
  },
};
