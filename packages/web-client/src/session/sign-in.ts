import { AuthorizationError, createBrowserSession, indexedDbStore } from '@linnet/sdk';
import type { BrowserSession } from '@linnet/sdk';

import { createCell } from '../data/cell.ts';
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

const scope = 'openid profile users posts email';

/** Bound to a key that no script can read; they stay until people sign out, in all tabs. */
const store = indexedDbStore('linnet-client');

/** Whether the last request reached the service. */
export const isReachable = createCell(true);

const reach: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    isReachable.set(true);
    return response;
  } catch (error) {
    // Requests that the client ends itself throw something else.
    if (error instanceof TypeError) isReachable.set(false);
    throw error;
  }
};

export function createAccess({ issuer }: Pick<Settings, 'issuer'>): BrowserSession {
  const redirectUri = new URL(paths.callback, issuer).href;
  return createBrowserSession({
    issuer,
    clientId,
    redirectUri,
    scope,
    timeLimitMs,
    store,
    fetch: reach,
  });
}

/** Finishes a sign-in, and keeps who it was. */
export async function arrive(access: BrowserSession): Promise<Arrival> {
  try {
    const signedIn = await access.handleCallback();
    if (signedIn === undefined) return 'none';
    keepPerson(toPerson(await readIdToken()));
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

/** The person's address, if the newest ID token says that it is not confirmed. */
export async function findUnconfirmedAddress(): Promise<string | undefined> {
  const { email, email_verified: isConfirmed } = await readIdToken();
  return isConfirmed === false ? email : undefined;
}

type Claims = Readonly<Partial<Record<'sub' | 'preferred_username' | 'name' | 'picture' | 'email', string>>> & {
  readonly email_verified?: boolean;
};

/** The claims of the newest ID token. The SDK has checked it. */
async function readIdToken(): Promise<Claims> {
  const [, claims = ''] = (await store.load())?.idToken?.split('.') ?? [];
  if (claims === '') return {};
  const bytes = Uint8Array.from(
    atob(claims.replaceAll('-', '+').replaceAll('_', '/')),
    (one) => one.codePointAt(0) ?? 0,
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims; // of our own service
}

function toPerson({ sub, preferred_username: username = '', name = '', picture = '' }: Claims): SignedIn {
  return { id: Number(sub), username, displayName: name, avatar: picture };
}
