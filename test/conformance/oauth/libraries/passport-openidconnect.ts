import OpenIDConnectStrategy from 'passport-openidconnect';

import type { LibraryFlows } from '../flow.ts';
import { runStrategy } from './passport.ts';

interface Profile {
  readonly displayName?: string;
}

export const passportOpenidconnect: LibraryFlows = {
  'sign-in (OpenID Connect)': async (world) => {
    const strategy = new OpenIDConnectStrategy(
      {
        issuer: world.issuer,
        authorizationURL: `${world.issuer}/oauth/authorize`,
        tokenURL: `${world.issuer}/oauth/token`,
        userInfoURL: `${world.issuer}/oauth/userinfo`,
        clientID: world.web.id,
        clientSecret: world.web.secret,
        callbackURL: world.redirectUri,
        scope: ['profile', 'email'],
      },
      (_issuer: string, profile: Profile, verified: (error: null, user: Profile) => void) => verified(null, profile),
    );
    const session = {};
    const { address = '' } = await runStrategy(strategy, session);
    const callback = await world.consent(address);
    const { user } = await runStrategy<Profile>(strategy, session, Object.fromEntries(callback.searchParams));
    return user?.displayName === world.personName ? 200 : 0;
  },
};
