import OAuth2Strategy from 'passport-oauth2';

import type { LibraryFlows } from '../flow.ts';
import type { RegisteredApplication, World } from '../world.ts';

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

/** Calls the strategy like passport; returns the URL of its redirect, or its result. */
async function run(strategy: OAuth2Strategy, session: object, query: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly address?: string; readonly tokens?: Tokens }>();
  const one = Object.assign(Object.create(strategy) as OAuth2Strategy, {
    redirect: (address: string) => resolve({ address }),
    success: (tokens: Tokens) => resolve({ tokens }),
    fail: (challenge: unknown) => reject(new Error(JSON.stringify(challenge))),
    error: reject,
  });
  one.authenticate({ query, session, headers: {}, url: '/' } as unknown as Parameters<
    OAuth2Strategy['authenticate']
  >[0]); // the members that the strategy reads
  return await promise;
}

async function authorize(world: World, application: RegisteredApplication): Promise<Tokens> {
  const strategy = createStrategy(world, application);
  // The session of an application stores state and verifier between the two requests.
  const session = {};
  const { address = '' } = await run(strategy, session, {});
  const callback = await world.consent(address);
  const { tokens } = await run(strategy, session, Object.fromEntries(callback.searchParams));
  return tokens ?? { accessToken: '', refreshToken: '' };
}

export const passportOauth2: LibraryFlows = {
  'code + PKCE, confidential': async (world) => await world.callApi((await authorize(world, world.web)).accessToken),
  'code + PKCE, public': async (world) => await world.callApi((await authorize(world, world.open)).accessToken),
};
