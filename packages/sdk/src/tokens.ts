/**
 * Access tokens that are there when they are needed: renewed a little before they end, once for everybody who asks
 * at the same time.
 */
import { AuthorizationError, SignInRequired } from './errors.ts';
import { abortable } from './retry.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
  /** What the person allowed, words separated by spaces. */
  readonly scope: string;
  readonly refreshToken?: string;
  /** With the scope `openid`: who signed in, when, and how. */
  readonly idToken?: string;
}

/**
 * Where the tokens of a person are kept. `save` has to replace them as a whole, and may be called at any time;
 * `undefined` means that they have ended.
 */
export interface TokenStore {
  load(): Promise<Tokens | undefined> | Tokens | undefined;
  save(tokens: Tokens | undefined): Promise<void> | void;
  /** Does `work` while nobody else who shares the store renews; needed where several processes or tabs do. */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens for as long as the program runs. */
export function memoryStore(tokens?: Tokens): TokenStore {
  let kept = tokens;
  return { load: () => kept, save: (next) => void (kept = next) };
}

interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps tokens in a browser's `sessionStorage` or `localStorage`; tabs that share it take turns to renew. */
export function webStore(storage: WebStorage, key = 'linnet-tokens'): TokenStore {
  const store: TokenStore = {
    load: () => {
      const text = storage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as Tokens); // written below
    },
    save: (tokens) => {
      if (tokens === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(tokens));
    },
  };
  // Pages without TLS have no locks; nor has Node 20.
  const { navigator } = globalThis as { readonly navigator?: Partial<Pick<Navigator, 'locks'>> };
  const locks = navigator?.locks;
  if (locks === undefined) return store;
  return { ...store, exclusively: async (work) => await locks.request(key, async () => await work()) };
}

/** Gives access tokens. `refused` is one that the API has just refused: another is wanted. */
export interface TokenSource {
  get(wanted?: { readonly refused?: string | undefined; readonly signal?: AbortSignal | undefined }): Promise<string>;
}

/** Renewed so long before the end, or at the last tenth of a short life. */
const marginMs = 60_000;

function isFresh({ accessToken, expiresAt }: Tokens, refused: string | undefined, margin = marginMs): boolean {
  return accessToken !== refused && expiresAt - Date.now() > margin;
}

interface Renewal {
  readonly load: () => Promise<Tokens | undefined> | Tokens | undefined;
  readonly renew: (refused: string | undefined) => Promise<Tokens>;
}

function createTokenSource({ load, renew }: Renewal): TokenSource {
  let renewing: Promise<Tokens> | undefined;
  const renewOnce = async (refused: string | undefined) => {
    renewing ??= renew(refused).finally(() => (renewing = undefined));
    return await renewing;
  };
  const find = async (refused: string | undefined) => {
    const tokens = await load();
    if (tokens !== undefined && isFresh(tokens, refused)) return tokens.accessToken;
    try {
      return (await renewOnce(refused)).accessToken;
    } catch (error) {
      // An outage that comes in the last minute of a token is nobody's concern yet.
      const isUsable = tokens !== undefined && isFresh(tokens, refused, 0);
      if (isUsable && !(error instanceof AuthorizationError)) return tokens.accessToken;
      throw error;
    }
  };
  return { get: async ({ refused, signal } = {}) => await abortable(find(refused), signal) };
}

/** Tokens of an application that acts as itself; `request` gets them by client credentials. */
export function applicationTokens(request: () => Promise<Tokens>): TokenSource {
  let tokens: Tokens | undefined;
  return createTokenSource({ load: () => tokens, renew: async () => (tokens = await request()) });
}

/** Tokens of a person; `refresh` exchanges a refresh token, and may be asked again with the same one. */
export function personTokens(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>): TokenSource {
  const exclusively = store.exclusively?.bind(store) ?? (async (work) => await work());

  async function renew(refused: string | undefined): Promise<Tokens> {
    const tokens = await store.load();
    if (tokens === undefined) throw new SignInRequired('login_required', 'nobody is signed in');
    // Another tab or process was faster.
    if (isFresh(tokens, refused)) return tokens;
    if (tokens.refreshToken === undefined) return await end();
    const { refreshToken } = tokens;
    try {
      const next = { refreshToken, ...(await refresh(refreshToken)) };
      // Kept before it is used: the service takes back a refresh token once its successor is used.
      await store.save(next);
      return next;
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_grant') throw error;
      const now = await store.load();
      if (now !== undefined && now.refreshToken !== refreshToken && isFresh(now, refused)) return now;
      return await end(error);
    }
  }

  async function end(cause?: unknown): Promise<never> {
    await store.save(undefined);
    throw new SignInRequired('invalid_grant', 'access has ended: the person has to sign in again', cause);
  }

  return createTokenSource({
    load: () => store.load(),
    renew: async (refused) => await exclusively(async () => await renew(refused)),
  });
}
