import OAuth2Strategy from 'passport-oauth2';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';
import { runStrategy } from './passport.ts';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

function createStrategy({ issuer, redirectUri }: World, { id, secret }: RegisteredApplication): OAuth2Strategy {
  return new OAuth2Strategy(
    {
      authorizationURL: `${issuer}/oauth/authorize`,
      tokenURL: `${issuer}/oauth/token`,
      clientID: id,
      clientSecret: secret,
      callbackURL: redirectUri,
      scope: ['users', 'posts'],
      state: true,
      pkce: true,
    },
    // oxlint-disable-next-line max-params -- the library calls it so
    (accessToken: string, refreshToken: string, _profile: unknown, verified: OAuth2Strategy.VerifyCallback) => {
      verified(null, { accessToken, refreshToken });
    },
  );
}

async function authorize(world: World, application: RegisteredApplication): Promise<Tokens> {
  const strategy = createStrategy(world, application);
  // The session of an application stores state and verifier between the two requests.
  const session = {};
  const { address = '' } = await runStrategy(strategy, session);
  const callback = await world.consent(address);
  const { user } = await runStrategy<Tokens>(strategy, session, Object.fromEntries(callback.searchParams));
  return user ?? { accessToken: '', refreshToken: '' };
}

export const passportOauth2: LibraryFlows = {
  'code + PKCE, confidential': async (world) => await world.callApi((await authorize(world, world.web)).accessToken),
  'code + PKCE, public': async (world) => await world.callApi((await authorize(world, world.open)).accessToken),
};
