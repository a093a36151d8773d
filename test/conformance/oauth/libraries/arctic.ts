import { CodeChallengeMethod, OAuth2Client, generateCodeVerifier, generateState } from 'arctic';
import type { OAuth2Tokens } from 'arctic';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';

function createClient({ redirectUri }: World, { id, secret }: RegisteredApplication): OAuth2Client {
  return new OAuth2Client(id, secret === '' ? null : secret, redirectUri);
}

async function authorize(world: World, client: OAuth2Client): Promise<OAuth2Tokens> {
  const verifier = generateCodeVerifier();
  const { issuer } = world;
  const address = client.createAuthorizationURLWithPKCE(
    `${issuer}/oauth/authorize`,
    generateState(),
    CodeChallengeMethod.S256,
    verifier,
    ['users', 'posts'],
  );
  const callback = await world.consent(address);
  return await client.validateAuthorizationCode(
    `${issuer}/oauth/token`,
    callback.searchParams.get('code') ?? '',
    verifier,
  );
}

export const arctic: LibraryFlows = {
  'code + PKCE, confidential': async (world) =>
    await world.callApi((await authorize(world, createClient(world, world.web))).accessToken()),
  'code + PKCE, public': async (world) =>
    await world.callApi((await authorize(world, createClient(world, world.open))).accessToken()),
  refresh: async (world) => {
    const client = createClient(world, world.web);
    const first = await authorize(world, client);
    const next = await world.refresh(
      async () => await client.refreshAccessToken(`${world.issuer}/oauth/token`, first.refreshToken(), []),
    );
    return await world.callApi(next.accessToken());
  },
};
