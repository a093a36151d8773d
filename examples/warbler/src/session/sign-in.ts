import { AuthorizationError, createBrowserSession, memoryStore } from '@linnet/sdk';
import type { BrowserSignIn } from '@linnet/sdk';

import { callbackUri, scope } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { keepPerson, storeOf } from './people.ts';

/** How the visit to the sign-in page ended, if this page load is the return from one. */
type Arrival = 'none' | 'signed-in' | 'declined' | 'failed';

export interface SignIn {
  /** Leaves Warbler for the sign-in page of the service. Rejects if the service cannot be reached. */
  leave(request?: BrowserSignIn): Promise<void>;
  /** Finishes a sign-in and keeps its tokens for the account to which they belong. */
  arrive(): Promise<Arrival>;
}

export function createSignIn({ issuer, clientId }: Settings): SignIn {
  // Only until the account is known.
  const store = memoryStore();
  const session = createBrowserSession({ issuer, clientId, redirectUri: callbackUri, scope, store });

  return {
    leave: async (request) => await session.signIn(request),
    arrive: async () => {
      try {
        const signedIn = await session.handleCallback();
        if (signedIn === undefined) return 'none';
        const account = await session.linnet.users.show();
        await storeOf(account.id).save(await store.load());
        keepPerson(account);
        history.replaceState(null, '', signedIn.returnTo);
        return 'signed-in';
      } catch (error) {
        history.replaceState(null, '', '/');
        return error instanceof AuthorizationError && error.code === 'access_denied' ? 'declined' : 'failed';
      }
    },
  };
}
