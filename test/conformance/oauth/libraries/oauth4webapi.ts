import { generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';

// oxlint-disable-next-line typescript/no-deprecated -- marked only to stand out; the service is on this machine
const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** The service and one application as the library sees them. */
interface Session {
  readonly world: World;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

async function begin(world: World, { id, secret }: RegisteredApplication, method?: oauth.ClientAuth): Promise<Session> {
  const issuer = new URL(world.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, response);
  const authentication = method ?? (secret === '' ? oauth.None() : oauth.ClientSecretBasic(secret));
  return { world, server, client: { client_id: id }, authentication };
}

interface Request {
  readonly scope?: string;
  readonly isPushed?: boolean;
  readonly DPoP?: oauth.DPoPHandle;
}

async function authorize(
  { world, server, client, authentication }: Session,
  { scope = 'users posts', isPushed = false, DPoP }: Request = {},
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: world.redirectUri,
    response_type: 'code',
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const address = new URL(server.authorization_endpoint ?? '');
  if (isPushed) {
    const response = await oauth.pushedAuthorizationRequest(server, client, authentication, parameters, insecure);
    const { request_uri: uri } = await oauth.processPushedAuthorizationResponse(server, client, response);
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri: uri }).toString();
  } else {
    address.search = parameters.toString();
  }
  const callback = oauth.validateAuthResponse(server, client, await world.consent(address), state);
  const options = DPoP === undefined ? insecure : { ...insecure, DPoP };
  const { redirectUri } = world;
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    callback,
    redirectUri,
    verifier,
    options,
  );
  return await oauth.processAuthorizationCodeResponse(server, client, response);
}

async function askInOwnName({ server, client, authentication }: Session) {
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    authentication,
    { scope: 'users' },
    insecure,
  );
  return await oauth.processClientCredentialsResponse(server, client, response);
}

export const oauth4webapi: LibraryFlows = {
  'code + PKCE, confidential': async (world) =>
    await world.callApi((await authorize(await begin(world, world.web))).access_token),
  'code + PKCE, public': async (world) =>
    await world.callApi((await authorize(await begin(world, world.open))).access_token),
  refresh: async (world) => {
    const session = await begin(world, world.web);
    const { server, client, authentication } = session;
    const { refresh_token: first = '' } = await authorize(session);
    const response = await world.refresh(
      async () => await oauth.refreshTokenGrantRequest(server, client, authentication, first, insecure),
    );
    return await world.callApi((await oauth.processRefreshTokenResponse(server, client, response)).access_token);
  },
  'client credentials': async (world) =>
    await world.callApi((await askInOwnName(await begin(world, world.web))).access_token),
  'sign-in (OpenID Connect)': async (world) => {
    const session = await begin(world, world.web);
    const { server, client } = session;
    const tokens = await authorize(session, { scope: 'openid users' });
    const { sub = '' } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
    const info = await oauth.processUserInfoResponse(server, client, sub, response);
    return info.sub === sub ? await world.callApi(tokens.access_token) : 0;
  },
  PAR: async (world) =>
    await world.callApi((await authorize(await begin(world, world.web), { isPushed: true })).access_token),
  private_key_jwt: async (world) => {
    const { privateKey: key, kid } = world.signing;
    const session = await begin(world, world.signing, oauth.PrivateKeyJwt({ key, kid }));
    return await world.callApi((await askInOwnName(session)).access_token);
  },
  device: async (world) => {
    const { server, client, authentication } = await begin(world, world.open);
    const asked = await oauth.deviceAuthorizationRequest(server, client, authentication, { scope: 'users' }, insecure);
    const device = await oauth.processDeviceAuthorizationResponse(server, client, asked);
    await world.connectDevice(device.user_code);
    const response = await oauth.deviceCodeGrantRequest(server, client, authentication, device.device_code, insecure);
    return await world.callApi((await oauth.processDeviceCodeResponse(server, client, response)).access_token);
  },
  DPoP: async (world) => {
    const session = await begin(world, world.web);
    const DPoP = oauth.DPoP(session.client, await generateKeyPair('ES256'));
    const tokens = await authorize(session, { DPoP });
    const api = new URL(`${world.issuer}/api/v2.0/users/show`);
    const headers = new Headers({ accept: 'application/json' });
    const options = { ...insecure, DPoP };
    const { status } = await oauth.protectedResourceRequest(tokens.access_token, 'GET', api, headers, null, options);
    return tokens.token_type === 'dpop' ? status : 0;
  },
};
