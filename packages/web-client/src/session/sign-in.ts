import { AuthorizationError, createBrowserSession, indexedDbStore } from '@linnet/sdk';
import type { BrowserSession } from '@linnet/sdk';

import { paths } from '../router.ts';
import type { Settings } from '../settings.ts';
import { findPerson, keepPerson } from './person.ts';
import type { SignedIn } from './person.ts';

/** How the visit to the sign-in page ended, if this page load is the return from one. */
type Arrival = 'none' | 'signed-in' | 'declined' | 'failed';

/** People watch the screen, so the client tells them about a long wait, such as after 429, instead of waiting silently. */
const timeLimitMs = 10_000;

/** The service knows its own client by this id. */
const clientId = 'built-in-web-client';

const scope = 'openid users posts email';

/** Tokens are in the IndexedDB, bound to a key that no script can read: people stay signed in, in all tabs. */
export function createAccess({ issuer }: Settings): BrowserSession {
  const redirectUri = new URL(paths.callback, issuer).href;
  return createBrowserSession({
    issuer,
    clientId,
    redirectUri,
    scope,
    timeLimitMs,
    store: indexedDbStore('linnet-client'),
  });
}

/** Finishes a sign-in, and keeps who it was. */
export async function arrive(access: BrowserSession): Promise<Arrival> {
  try {
    const signedIn = await access.handleCallback();
    if (signedIn === undefined) return 'none';
    keepPerson(await access.linnet.users.show());
    history.replaceState(null, '', signedIn.returnTo);
    return 'signed-in';
  } catch (error) {
    history.replaceState(null, '', paths.feed);
    return error instanceof AuthorizationError && error.code === 'access_denied' ? 'declined' : 'failed';
  }
}

/** Who is signed in. Their access may have ended; the next call notices that. */
export async function findSignedIn(access: BrowserSession): Promise<SignedIn | undefined> {
  return (await access.isSignedIn()) ? findPerson() : undefined;
}
