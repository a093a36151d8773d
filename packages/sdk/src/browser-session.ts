/** Signs people in on web pages: redirects, the callback, tokens, and tabs that share them. */
import { createApplication } from './application.ts';
import type { Application, EndSessionRequest, Linnet, SignInAttempt, SignInRequest } from './application.ts';
import { AuthorizationError } from './errors.ts';
import { indexedDbStore } from './indexed-db-store.ts';
import type { ServerOptions } from './server.ts';
import { createMutex } from './token-store.ts';
import type { TokenStore } from './token-store.ts';

export interface BrowserSessionOptions extends ServerOptions {
  /** The client ID of a public application. */
  readonly clientId: string;
  /** The page that handles the callback; one of the application's redirect URIs. */
  readonly redirectUri: string;
  /** Requested scopes, separated by spaces. With `openid` you also get an ID token. */
  readonly scope: string;
  /** Where the tokens are kept; default: `indexedDbStore`, bound to a key that nothing can copy, for each `clientId`. */
  readonly store?: TokenStore | undefined;
}

export interface BrowserSignIn {
  /** Where to continue after the sign-in: an address of your own site; default: the current one. */
  readonly returnTo?: string | undefined;
  /** Other scopes than those of the session. */
  readonly scope?: string | undefined;
  /** Further parameters of the authorization request, such as `prompt`, `login_hint` or `ui_locales`. */
  readonly parameters?: SignInRequest['parameters'];
}

/** What `handleCallback` returns after a sign-in. */
export interface SignedIn {
  /** Path, query and fragment of your own site, as given to `signIn`. */
  readonly returnTo: string;
  /** Granted scopes, separated by spaces. The person may have declined some. */
  readonly scope: string;
}

export interface BrowserSignOut {
  /** Also leads to the page on which people end their session at the service; then `signOut` does not return. */
  readonly endSession?: boolean | undefined;
  /** With `endSession`: where the browser returns to, one of the application's post-logout redirect URIs. */
  readonly postLogoutRedirectUri?: string | undefined;
}

export interface BrowserSession {
  /** The API as the person who signed in. Calls throw `SignInRequired` when nobody is, or no longer. */
  readonly linnet: Linnet;
  /** True if there are tokens. They may have been revoked; the next call notices that. */
  isSignedIn(): Promise<boolean>;
  /** Leaves the page for the service, where the person signs in and decides. Does not return. */
  signIn(request?: BrowserSignIn): Promise<never>;
  /**
   * Call it when your page loads. If the page is the callback of a sign-in, finishes the sign-in and removes its
   * parameters from the address; otherwise returns undefined.
   * @throws AuthorizationError `access_denied` when the person declined, `invalid_answer` when this tab began no such sign-in
   */
  handleCallback(): Promise<SignedIn | undefined>;
  /** Removes the tokens and revokes them. They are removed even if this throws because the service is unreachable. */
  signOut(request?: BrowserSignOut): Promise<void>;
  /** Calls `listener` when the person has signed in or out, also in another tab, until the returned function is called. */
  onChange(listener: (isSignedIn: boolean) => void): () => void;
}

interface Session {
  readonly options: BrowserSessionOptions;
  readonly application: Application;
  readonly store: TokenStore;
  readonly attempts: Attempts;
  /** Where a sign-in that failed on this page would have led. */
  failed?: string;
}

/** A person in this browser. Sends no request until you call a method. */
export function createBrowserSession(options: BrowserSessionOptions): BrowserSession {
  const { clientId, redirectUri, issuer, timeLimitMs, tries, fetch } = options;
  const application = createApplication({ clientId, issuer, timeLimitMs, tries, fetch });
  const observed = observe(options.store ?? indexedDbStore(`linnet-tokens-${clientId}`));
  const session: Session = { options, application, store: observed.store, attempts: createAttempts(sessionStorage) };
  let handling: Promise<SignedIn> | undefined;
  return {
    linnet: application.asPerson(session.store),
    isSignedIn: async () => (await session.store.load()) !== undefined,
    signIn: async (request = {}) => await signIn(session, request),
    handleCallback: async () => {
      const page = new URL(location.href);
      // A framework may call this twice, and the second time the address is already clean.
      if (handling === undefined && isCallback(page, redirectUri)) {
        handling = handleCallback(session, page).finally(() => (handling = undefined));
      }
      return await handling;
    },
    signOut: async (request = {}) => await signOut(session, request),
    onChange: observed.onChange,
  };
}

async function signIn(session: Session, { returnTo, scope, parameters }: BrowserSignIn): Promise<never> {
  const { application, attempts, options } = session;
  if (!globalThis.isSecureContext) throw new TypeError('browsers allow a sign-in only with HTTPS or on localhost');
  const next = ownAddress(returnTo ?? session.failed ?? location.href);
  const { redirectUri } = options;
  const { url, attempt } = await application.beginSignIn({ redirectUri, scope: scope ?? options.scope, parameters });
  attempts.keep({ attempt, returnTo: next });
  return await leaveFor(url);
}

/** Path, query and fragment of `returnTo`. @throws TypeError for another site */
function ownAddress(returnTo: string): string {
  const url = new URL(returnTo, location.href);
  if (url.origin !== location.origin) throw new TypeError('returnTo must be an address of this site');
  return `${url.pathname}${url.search}${url.hash}`;
}

function isCallback({ origin, pathname, searchParams }: URL, redirectUri: string): boolean {
  const own = new URL(redirectUri);
  const isAnswer = searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'));
  return isAnswer && origin === own.origin && pathname === own.pathname;
}

async function handleCallback(session: Session, page: URL): Promise<SignedIn> {
  const { application, attempts, options, store } = session;
  // First of all, so that neither a reload nor the history repeats the code.
  history.replaceState(history.state, '', options.redirectUri);
  const kept = attempts.take(page.searchParams.get('state') ?? '');
  if (kept === undefined) throw new AuthorizationError('invalid_answer', 'this tab did not begin this sign-in');
  const { attempt, returnTo } = kept;
  session.failed = returnTo;
  const { scope } = await application.finishSignIn(page, attempt, store);
  delete session.failed;
  return { returnTo, scope };
}

async function signOut({ application, store }: Session, request: BrowserSignOut): Promise<void> {
  const { endSession = false, postLogoutRedirectUri } = request;
  const { idToken }: EndSessionRequest = (await store.load()) ?? {};
  await application.signOut(store);
  if (endSession) await leaveFor(await application.endSessionUrl({ idToken, postLogoutRedirectUri }));
}

async function leaveFor(url: URL): Promise<never> {
  location.assign(url);
  return await new Promise<never>(() => undefined);
}

/** The store, and a function that tells when somebody signed in or out. */
function observe(inner: TokenStore): { readonly store: TokenStore; readonly onChange: BrowserSession['onChange'] } {
  const listeners = new Set<(isSignedIn: boolean) => void>();
  let wasSignedIn: boolean | undefined;
  const notice = (isSignedIn: boolean) => {
    if (isSignedIn === wasSignedIn) return;
    wasSignedIn = isSignedIn;
    for (const listener of listeners) listener(isSignedIn);
  };
  inner.onChange?.(() => void Promise.resolve(inner.load()).then((tokens) => notice(tokens !== undefined)));
  const store: TokenStore = {
    load: async () => {
      const tokens = await inner.load();
      wasSignedIn ??= tokens !== undefined;
      return tokens;
    },
    save: async (tokens) => {
      await inner.save(tokens);
      notice(tokens !== undefined);
    },
    boundKey: inner.boundKey,
    exclusively: inner.exclusively?.bind(inner) ?? createMutex(),
  };
  return {
    store,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A sign-in that this tab began. */
interface KeptAttempt {
  readonly attempt: SignInAttempt;
  readonly returnTo: string;
}

/** The sign-ins that this tab began and has not finished. */
interface Attempts {
  keep(attempt: KeptAttempt): void;
  /** The attempt with this `state`, which is then forgotten: a response is accepted once. */
  take(state: string): KeptAttempt | undefined;
}

const attemptsKey = 'linnet-sign-in';

/** Somebody who goes back and signs in again can still finish an earlier attempt. */
const maxAttempts = 5;

function createAttempts(storage: Pick<Storage, 'getItem' | 'setItem'>): Attempts {
  const read = () => JSON.parse(storage.getItem(attemptsKey) ?? '[]') as readonly KeptAttempt[]; // `write` wrote it
  const write = (attempts: readonly KeptAttempt[]) => storage.setItem(attemptsKey, JSON.stringify(attempts));
  return {
    keep: (attempt) => write([...read(), attempt].slice(-maxAttempts)),
    take: (state) => {
      const attempts = read();
      write(attempts.filter(({ attempt }) => attempt.state !== state));
      return attempts.find(({ attempt }) => attempt.state === state);
    },
  };
}
