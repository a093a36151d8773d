/** Provides access tokens and refreshes them shortly before they expire, once for all concurrent calls. */
import { AuthorizationError, SignInRequired } from './errors.ts';
import type { BoundKey } from './dpop.ts';
import { abortable } from './retry.ts';
import { createMutex } from './token-store.ts';
import type { Tokens, TokenStore } from './token-store.ts';

/** Provides access tokens. `refused` is a token that the API just rejected, so another one is needed. */
export interface TokenSource {
  /** The key that the tokens are bound to. */
  readonly boundKey?: BoundKey | undefined;
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

/** Tokens of the application itself; `request` gets them with client credentials, bound to `boundKey` if there is one. */
export function applicationTokens(request: () => Promise<Tokens>, boundKey?: BoundKey): TokenSource {
  let tokens: Tokens | undefined;
  const source = createTokenSource({ load: () => tokens, refresh: async () => (tokens = await request()) });
  return { ...source, boundKey };
}

/** The tokens of a person. */
export interface PersonTokens extends TokenSource {
  /** Saves other tokens, never during a refresh, which would overwrite them. Returns the previous ones. */
  replace(tokens: Tokens | undefined): Promise<Tokens | undefined>;
}

/** Exchanges a refresh token, and may repeat the exchange. */
type Refresh = (refreshToken: string, key: BoundKey | undefined) => Promise<Tokens>;

export function personTokens(store: TokenStore, refresh: Refresh): PersonTokens {
  const exclusively = store.exclusively?.bind(store) ?? createMutex();

  async function refreshStored(refused: string | undefined): Promise<Tokens> {
    const tokens = await store.load();
    if (tokens === undefined) throw new SignInRequired('login_required', 'nobody is signed in');
    // Another tab or process refreshed them first.
    if (isFresh(tokens, refused)) return tokens;
    if (tokens.refreshToken === undefined) return await end();
    const { refreshToken } = tokens;
    try {
      const next = { refreshToken, ...(await refresh(refreshToken, store.boundKey)) };
      // Save before use: once the successor was used, its predecessor cannot be repeated.
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

  const source = createTokenSource({
    load: () => store.load(),
    refresh: async (refused) => await exclusively(async () => await refreshStored(refused)),
  });
  const replace = async (tokens: Tokens | undefined) =>
    await exclusively(async () => {
      const previous = await store.load();
      await store.save(tokens);
      return previous;
    });
  return { ...source, replace, boundKey: store.boundKey };
}
