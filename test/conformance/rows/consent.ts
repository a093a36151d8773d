import { randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import { createApiCaller } from '../../support/api-client.ts';
import type { Rows } from '../row.ts';
import { postToken } from '../token-request.ts';
import type { Authorization, World } from '../world.ts';

/** The flow in which a person authorizes an application. */

const state = Buffer.from('any state?').toString('base64');

async function authorize(world: World, more: Readonly<Record<string, string>> = {}): Promise<Authorization> {
  const request = { response_type: 'code', scope: 'users posts', redirect_uri: world.redirectUri };
  return await world.authorize({ ...request, ...more });
}

/** The status and the redirect of the authorization endpoint. */
async function ask({ baseUrl, alice, redirectUri }: World, more: Readonly<Record<string, string | undefined>> = {}) {
  const request = {
    client_id: alice.client.id,
    response_type: 'code',
    scope: 'users',
    redirect_uri: redirectUri,
    ...more,
  };
  const given = Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const response = await fetch(`${baseUrl}/oauth/authorize?${new URLSearchParams(given).toString()}`, {
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  return { status: response.status, location: location === null ? undefined : new URL(location, baseUrl) };
}

async function requestToken(world: World, form: Readonly<Record<string, string>>) {
  const response = await postToken(world, new URLSearchParams(form));
  return { status: response.status, body: await response.json() };
}

async function exchange(world: World, { callback }: Authorization) {
  const code = callback.searchParams.get('code') ?? '';
  return await requestToken(world, { grant_type: 'authorization_code', code, redirect_uri: world.redirectUri });
}

export const consentRows: Rows = {
  'User consent flow': {
    "The application redirects the user's browser": async (world) => {
      const { status, location } = await ask(world);
      expect([[302, 303].includes(status), location?.origin]).toEqual([true, new URL(world.baseUrl).origin]);
    },
    'client_id |': async (world) => {
      for (const clientId of [undefined, 'app_unknown']) {
        const { status, location } = await ask(world, { client_id: clientId });
        expect([status, location]).toEqual([400, undefined]);
      }
    },
    'response_type |': async (world) => {
      expect((await authorize(world)).callback.searchParams.get('code')).toMatch(/.{20}/);
      const { callback } = await authorize(world, { response_type: 'token' });
      const token = new URLSearchParams(callback.hash.slice(1));
      expect([token.get('token_type'), token.has('code'), callback.searchParams.has('code')]).toEqual([
        'Bearer',
        false,
        false,
      ]);
      const { body } = await createApiCaller(world.baseUrl, token.get('access_token') ?? '')('GET /users/show');
      expect(body.id).toBe(world.bob.id);
    },
    'scope |': async (world) => {
      const { callback } = await authorize(world, { scope: 'users posts email' });
      expect(callback.searchParams.get('scope')?.split(' ').toSorted()).toEqual(['email', 'posts', 'users']);
    },
    'redirect_uri |': async (world) => {
      const registered = world.redirectUri;
      for (const other of [
        `${registered}x`,
        registered.replace('https', 'http'),
        `${registered}&more=1`,
        `${registered}#x`,
      ]) {
        expect((await ask(world, { redirect_uri: other })).status).toBe(400);
      }
      const withState = `${registered}${registered.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
      expect([302, 303]).toContain((await ask(world, { redirect_uri: withState })).status);
    },
    'nonce |': async (world) => {
      const nonce = `${String(Date.now())}${randomBytes(16).toString('base64')}`;
      const { body } = await exchange(world, await authorize(world, { nonce }));
      expect(body.nonce).toBe(nonce);
    },
    'state |': async (world) => {
      const sent = 'any state: ümlaut + / = & ?';
      expect((await authorize(world, { state: sent })).callback.searchParams.get('state')).toBe(sent);
    },
    'The user logs in and then sees a consent message': async (world) => {
      const { pages, callback } = await authorize(world, { prompt: 'consent' });
      expect(pages).toHaveLength(2);
      const { body } = await exchange(world, { callback, pages, status: 302 });
      const call = createApiCaller(world.baseUrl, body.access_token);
      const { body: shown } = await call('GET /users/show');
      expect([shown.id, shown.email]).toEqual([world.bob.id, '']);
    },
    'After consent the user is redirected (HTTP 302)': async (world) => {
      const { status, callback } = await authorize(world);
      expect(status).toBe(302);
      expect(callback.href.startsWith(world.redirectUri)).toBe(true);
      expect([callback.searchParams.get('scope'), callback.searchParams.get('code')]).toEqual([
        'users posts',
        expect.stringMatching(/.{20}/),
      ]);
    },
    'The code is to be exchanged for': async (world) => {
      const authorization = await authorize(world);
      const { status, body } = await exchange(world, authorization);
      expect([status, body]).toMatchObject([
        200,
        { access_token: expect.any(String), refresh_token: expect.any(String) },
      ]);
      // Decisions D60: an equal request within ten seconds, while the refresh token is unused.
      const again = await exchange(world, authorization);
      expect([again.status, again.body.refresh_token]).toEqual([200, body.refresh_token]);
      await requestToken(world, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
      const used = await exchange(world, authorization);
      expect([used.status, used.body.error]).toEqual([400, 'invalid_grant']);
    },
    // Decisions D50: RFC 6749 §4.1.3 and §6.
    'The exchange request and the use of a refresh token': async (world) => {
      const { body } = await exchange(world, await authorize(world));
      const refreshed = await requestToken(world, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
      expect(refreshed.status).toBe(200);
      expect(refreshed.body.refresh_token).not.toBe(body.refresh_token);
      const { body: shown } = await createApiCaller(world.baseUrl, refreshed.body.access_token)('GET /users/show');
      expect(shown.id).toBe(world.bob.id);
    },
    // Decisions D19.
    'Which scope each endpoint requires: not shown.': async (world) => {
      const { body } = await exchange(world, await authorize(world, { scope: 'users' }));
      const call = createApiCaller(world.baseUrl, body.access_token);
      expect((await call('GET /users/show')).status).toBe(200);
      const refused = await call('GET /post/show?id=1');
      expect([refused.status, refused.body.code, refused.body.scope]).toEqual([
        403,
        'insufficient_scope',
        'posts:read',
      ]);
    },
  },
};
