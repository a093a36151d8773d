/** Provides access tokens and refreshes them shortly before they expire, once for all concurrent calls. */
import { AuthorizationError, SignInRequired } from './errors.ts';
import { abortable } from './retry.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
  /** Granted scopes, separated by spaces. */
  readonly scope: string;
  readonly refreshToken?: string;
  /** With the scope `openid`: who signed in, when and how. */
  readonly idToken?: string;
}

/**
 * Stores the tokens of a person. `save` must replace them atomically and may be called at any time; `undefined`
 * removes them.
 */
export interface TokenStore {
  load(): Promise<Tokens | undefined> | Tokens | undefined;
  save(tokens: Tokens | undefined): Promise<void> | void;
  /** Runs `work` under a lock. Required if several processes or tabs share the store. */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens in memory. */
export function memoryStore(tokens?: Tokens): TokenStore {
  let current = tokens;
  return { load: () => current, save: (next) => void (current = next) };
}

interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps tokens in the `sessionStorage` or `localStorage` of a browser; a lock coordinates tabs that share it. */
export function webStore(storage: WebStorage, key = 'linnet-tokens'): TokenStore {
  const store: TokenStore = {
    load: () => {
      const text = storage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as Tokens); // `save` wrote it
    },
    save: (tokens) => {
      if (tokens === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(tokens));
    },
  };
  // Pages without TLS have no locks, nor does Node 20.
  const { navigator } = globalThis as { readonly navigator?: Partial<Pick<Navigator, 'locks'>> };
  const locks = navigator?.locks;
  if (locks === undefined) return store;
  return { ...store, exclusively: async (work) => await locks.request(key, async () => await work()) };
}

/** Provides access tokens. `refused` is a token that the API just rejected, so another one is needed. */
export interface TokenSource {
  get(wanted?: { readonly refused?: string | undefined; readonly signal?: AbortSignal | undefined }): Promise<string>;
}

/** Tokens are refreshed this long before they expire. */
const marginMs = 60_000;

function isFresh({ accessToken, expiresAt }: Tokens, refused: string | undefined, margin = marginMs): boolean {
  return accessToken !== refused && expiresAt - Date.now() > margin;
}

interface Refreshing {
  readonly load: () => Promise<Tokens | undefined> | Tokens | undefined;
  readonly refresh: (refused: string | undefined) => Promise<Tokens>;
}

function createTokenSource({ load, refresh }: Refreshing): TokenSource {
  let refreshing: Promise<Tokens> | undefined;
  const refreshOnce = async (refused: string | undefined) => {
    refreshing ??= refresh(refused).finally(() => (refreshing = undefined));
    return await refreshing;
  };
  const find = async (refused: string | undefined) => {
    const tokens = await load();
    if (tokens !== undefined && isFresh(tokens, refused)) return tokens.accessToken;
    try {
      return (await refreshOnce(refused)).accessToken;
    } catch (error) {
      // A token that has not expired yet still works during an outage.
      const isUsable = tokens !== undefined && isFresh(tokens, refused, 0);
      if (isUsable && !(error instanceof AuthorizationError)) return tokens.accessToken;
      throw error;
    }
  };
  return { get: async ({ refused, signal } = {}) => await abortable(find(refused), signal) };
}

/** Tokens of the application itself; `request` gets them with client credentials. */
export function applicationTokens(request: () => Promise<Tokens>): TokenSource {
  let tokens: Tokens | undefined;
  return createTokenSource({ load: () => tokens, refresh: async () => (tokens = await request()) });
}

/** Tokens of a person; `refresh` exchanges a refresh token, and may repeat the exchange. */
export function personTokens(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>): TokenSource {
  const exclusively = store.exclusively?.bind(store) ?? (async (work) => await work());

  async function refreshStored(refused: string | undefined): Promise<Tokens> {
    const tokens = await store.load();
    if (tokens === undefined) throw new SignInRequired('login_required', 'nobody is signed in');
    // Another tab or process refreshed them first.
    if (isFresh(tokens, refused)) return tokens;
    if (tokens.refreshToken === undefined) return await end();
    const { refreshToken } = tokens;
    try {
      const next = { refreshToken, ...(await refresh(refreshToken)) };
      // Save before use: once the successor is used, the service revokes its predecessor.
      await store.save(next);
      return next;
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_grant') throw error;
      const current = await store.load();
      if (current !== undefined && current.refreshToken !== refreshToken && isFresh(current, refused)) return current;
      return await end(error);
    }
  }

  async function end(cause?: unknown): Promise<never> {
    await store.save(undefined);
    throw new SignInRequired('invalid_grant', 'the tokens are no longer valid: the person must sign in again', cause);
  }

  return createTokenSource({
    load: () => store.load(),
    refresh: async (refused) => await exclusively(async () => await refreshStored(refused)),
  });
}
