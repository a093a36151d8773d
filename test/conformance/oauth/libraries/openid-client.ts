import { generateKeyPair } from 'jose';
import * as client from 'openid-client';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';

async function configure({ issuer }: World, { id, secret }: RegisteredApplication, method?: client.ClientAuth) {
  const authentication = method ?? (secret === '' ? client.None() : client.ClientSecretBasic(secret));
  // oxlint-disable-next-line typescript/no-deprecated -- marked only to stand out; the service is on this machine
  const options = { execute: [client.allowInsecureRequests] };
  return await client.discovery(new URL(issuer), id, {}, authentication, options);
}

interface Request {
  readonly scope?: string;
  readonly isPushed?: boolean;
  readonly DPoP?: client.DPoPHandle;
}

async function authorize(
  world: World,
  config: client.Configuration,
  { scope = 'users posts', isPushed = false, DPoP }: Request = {},
) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const parameters = {
    redirect_uri: world.redirectUri,
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  const address = isPushed
    ? await client.buildAuthorizationUrlWithPAR(config, parameters)
    : client.buildAuthorizationUrl(config, parameters);
  const callback = await world.consent(address);
  const checks = { pkceCodeVerifier, expectedState };
  return await client.authorizationCodeGrant(config, callback, checks, undefined, DPoP === undefined ? {} : { DPoP });
}

export const openidClient: LibraryFlows = {
  'code + PKCE, confidential': async (world) => {
    const tokens = await authorize(world, await configure(world, world.web));
    return await world.callApi(tokens.access_token);
  },
  'code + PKCE, public': async (world) => {
    const tokens = await authorize(world, await configure(world, world.open));
    return await world.callApi(tokens.access_token);
  },
  refresh: async (world) => {
    const config = await configure(world, world.open);
    const { refresh_token: first = '' } = await authorize(world, config);
    const tokens = await world.refresh(async () => await client.refreshTokenGrant(config, first));
    return await world.callApi(tokens.access_token);
  },
  'client credentials': async (world) => {
    const tokens = await client.clientCredentialsGrant(await configure(world, world.web), { scope: 'users' });
    return await world.callApi(tokens.access_token);
  },
  'sign-in (OpenID Connect)': async (world) => {
    const config = await configure(world, world.web);
    const tokens = await authorize(world, config, { scope: 'openid profile users' });
    const { sub = '' } = tokens.claims() ?? {};
    const info = await client.fetchUserInfo(config, tokens.access_token, sub);
    return info.sub === sub ? await world.callApi(tokens.access_token) : 0;
  },
  PAR: async (world) => {
    const tokens = await authorize(world, await configure(world, world.web), { isPushed: true });
    return await world.callApi(tokens.access_token);
  },
  private_key_jwt: async (world) => {
    const { privateKey: key, kid } = world.signing;
    const config = await configure(world, world.signing, client.PrivateKeyJwt({ key, kid }));
    return await world.callApi((await client.clientCredentialsGrant(config, { scope: 'users' })).access_token);
  },
  device: async (world) => {
    const config = await configure(world, world.open);
    const response = await client.initiateDeviceAuthorization(config, { scope: 'users' });
    await world.connectDevice(response.user_code);
    return await world.callApi((await client.pollDeviceAuthorizationGrant(config, response)).access_token);
  },
  DPoP: async (world) => {
    const config = await configure(world, world.open);
    const DPoP = client.getDPoPHandle(config, await generateKeyPair('ES256'));
    const tokens = await authorize(world, config, { DPoP });
    const api = new URL(`${world.issuer}/api/v2.0/users/show`);
    const headers = new Headers({ accept: 'application/json' });
    const { status } = await client.fetchProtectedResource(config, tokens.access_token, api, 'GET', null, headers, {
      DPoP,
    });
    return tokens.token_type === 'dpop' ? status : 0;
  },
};
