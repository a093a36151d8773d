import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import type { SigninResponse } from 'oidc-client-ts';

import type { LibraryFlows } from '../flow.ts';
import type { World } from '../world.ts';

async function signIn(world: World, scope: string): Promise<SigninResponse> {
  const client = new OidcClient({
    authority: world.issuer,
    client_id: world.open.id,
    redirect_uri: world.redirectUri,
    scope,
    // A browser would use its own storage.
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const { url } = await client.createSigninRequest({});
  return await client.processSigninResponse((await world.consent(url)).href);
}

export const oidcClientTs: LibraryFlows = {
  'code + PKCE, public': async (world) => await world.callApi((await signIn(world, 'openid users posts')).access_token),
  'sign-in (OpenID Connect)': async (world) => {
    const { profile } = await signIn(world, 'openid profile email');
    return profile.name === world.personName ? 200 : 0;
  },
};
