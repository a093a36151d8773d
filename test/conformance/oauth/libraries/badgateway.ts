import { OAuth2Client, generateCodeVerifier } from '@badgateway/oauth2-client';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';

function createClient(
  { issuer: server }: World,
  { id: clientId, secret: clientSecret }: RegisteredApplication,
): OAuth2Client {
  return new OAuth2Client({ server, clientId, ...(clientSecret === '' ? {} : { clientSecret }) });
}

async function authorize(world: World, client: OAuth2Client) {
  const codeVerifier = await generateCodeVerifier();
  const { redirectUri } = world;
  const state = 'c3RhdGU=';
  const address = await client.authorizationCode.getAuthorizeUri({
    redirectUri,
    state,
    codeVerifier,
    scope: ['users', 'posts'],
  });
  const callback = await world.consent(address);
  return await client.authorizationCode.getTokenFromCodeRedirect(callback, { redirectUri, state, codeVerifier });
}

export const badgateway: LibraryFlows = {
  'code + PKCE, confidential': async (world) =>
    await world.callApi((await authorize(world, createClient(world, world.web))).accessToken),
  'code + PKCE, public': async (world) =>
    await world.callApi((await authorize(world, createClient(world, world.open))).accessToken),
  refresh: async (world) => {
    const client = createClient(world, world.open);
    const first = await authorize(world, client);
    return await world.callApi((await world.refresh(async () => await client.refreshToken(first))).accessToken);
  },
  'client credentials': async (world) =>
    await world.callApi((await createClient(world, world.web).clientCredentials({ scope: ['users'] })).accessToken),
};
