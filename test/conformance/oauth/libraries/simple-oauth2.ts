import { hash, randomBytes } from 'node:crypto';

import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';

import type { LibraryFlows } from '../flow.ts';
import type { World } from '../world.ts';

function configure({ issuer, web }: World) {
  return {
    client: { id: web.id, secret: web.secret },
    auth: { tokenHost: issuer, tokenPath: '/oauth/token' },
  };
}

async function authorize(world: World) {
  const { client: credentials, auth } = configure(world);
  const client = new AuthorizationCode({
    client: credentials,
    auth: { ...auth, authorizePath: '/oauth/authorize' },
  });
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    redirect_uri: world.redirectUri,
    scope: ['users', 'posts'],
    state: 'c3RhdGU=',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  };
  const callback = await world.consent(client.authorizeURL(parameters));
  const code = callback.searchParams.get('code') ?? '';
  // The library passes on all parameters; its types know only those of RFC 6749.
  const exchange = { code, redirect_uri: world.redirectUri, code_verifier: verifier };
  return await client.getToken(exchange);
}

export const simpleOauth2: LibraryFlows = {
  'code + PKCE, confidential': async (world) => {
    const { token } = await authorize(world);
    return await world.callApi(String(token['access_token']));
  },
  refresh: async (world) => {
    const first = await authorize(world);
    const { token } = await world.refresh(async () => await first.refresh());
    return await world.callApi(String(token['access_token']));
  },
  'client credentials': async (world) => {
    const { token } = await new ClientCredentials(configure(world)).getToken({ scope: 'users' });
    return await world.callApi(String(token['access_token']));
  },
};
