import type { BoundKey } from './dpop.ts';

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
  /** The key that the tokens are bound to (DPoP), always the same. Without it, anyone who has a token can use it. */
  readonly boundKey?: BoundKey | undefined;
  /** Calls `listener` after another tab or process changed the tokens, until the returned function is called. */
  onChange?(listener: () => void): () => void;
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

/** What a tab tells the others after it replaced tokens. */
interface Replaced {
  /** The refresh token that was replaced. */
  readonly previous: string | undefined;
  readonly tokens: Tokens | undefined;
}

/**
 * Keeps tokens in the `sessionStorage` or `localStorage` of a browser. Tabs with the same tokens coordinate: only one
 * of them refreshes, and the others get what it received. That includes a duplicated tab, which starts with a copy of
 * the `sessionStorage`.
 */
export function webStore(storage: WebStorage, key = 'linnet-tokens'): TokenStore {
  const read = () => {
    const text = storage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Tokens); // `write` wrote it
  };
  const write = (tokens: Tokens | undefined) => {
    if (tokens === undefined) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(tokens));
  };
  const channel = openChannel(key);
  const listeners = new Set<() => void>();
  let known = storage.getItem(key);
  channel?.addEventListener('message', ({ data }: MessageEvent<Replaced>) => {
    const { previous, tokens } = data;
    if (previous !== undefined && read()?.refreshToken === previous) write(tokens);
    const current = storage.getItem(key);
    if (current === known) return;
    known = current;
    for (const listener of listeners) listener();
  });
  const exclusively = locksOf(key);
  return {
    load: read,
    save: (tokens) => {
      const replaced: Replaced = { previous: read()?.refreshToken, tokens };
      write(tokens);
      known = storage.getItem(key);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is within one origin
      channel?.postMessage(replaced);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...(exclusively === undefined ? {} : { exclusively }),
  };
}

export function openChannel(name: string): BroadcastChannel | undefined {
  if (globalThis.BroadcastChannel === undefined) return undefined;
  const channel = new BroadcastChannel(name);
  // Node would wait for messages instead of ending.
  (channel as { unref?: () => void }).unref?.(); // browsers have none
  return channel;
}

/** A lock for all tabs. */
export function locksOf(name: string): Exclusively | undefined {
  const { navigator } = globalThis as { readonly navigator?: Partial<Pick<Navigator, 'locks'>> }; // absent without TLS and in Node 20
  const locks = navigator?.locks;
  if (locks === undefined) return undefined;
  return async (work) => await locks.request(name, async () => await work());
}

/** Runs one piece of work at a time. */
export type Exclusively = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A lock within this process or tab: work waits until all earlier work has ended. */
export function createMutex(): Exclusively {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return await mine;
  };
}
