import { generateKey } from './dpop.ts';
import { createMutex, locksOf, openChannel } from './token-store.ts';
import type { Tokens, TokenStore } from './token-store.ts';

const kept = 'kept';
const [tokensEntry, keyEntry] = ['tokens', 'key'];

/**
 * Keeps tokens in the IndexedDB of a browser, for all tabs and after a restart. They are bound to a key (DPoP) that is kept there,
 * too, and that no script can read: copied tokens are of no use elsewhere.
 */
export function indexedDbStore(name = 'linnet-tokens'): TokenStore {
  const channel = openChannel(name);
  const run = createRuns(name);
  const findKey = async () => (await run('readonly', (store) => store.get(keyEntry))) as CryptoKeyPair | undefined; // as below
  const createKey = async () => {
    const made = await generateKey();
    // Another tab may have been first: the first one stays.
    await run('readwrite', (store) => store.add(made, keyEntry)).catch(() => undefined);
    return (await findKey()) ?? made;
  };
  let key: Promise<CryptoKeyPair> | undefined;
  return {
    load: async () => (await run('readonly', (store) => store.get(tokensEntry))) as Tokens | undefined, // `save` wrote it
    save: async (tokens) => {
      await run('readwrite', (store) =>
        tokens === undefined ? store.delete(tokensEntry) : store.put(tokens, tokensEntry),
      );
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is within one origin
      channel?.postMessage('saved');
    },
    boundKey: async () => {
      key ??= findKey().then(async (found) => found ?? (await createKey()));
      return await key;
    },
    exclusively: locksOf(name) ?? createMutex(),
    onChange: (listener) => {
      channel?.addEventListener('message', listener);
      return () => channel?.removeEventListener('message', listener);
    },
  };
}

type Run = (mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest) => Promise<unknown>;

/** Opens the database when it is first used, and again after the browser closed it. */
function createRuns(name: string): Run {
  let database: Promise<IDBDatabase> | undefined;
  return async (mode, work) => {
    database ??= open(name, () => (database = undefined));
    const transaction = (await database).transaction(kept, mode);
    const request = work(transaction.objectStore(kept));
    return await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('the browser did not store it')),
      );
    });
  };
}

async function open(name: string, closed: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  return await new Promise((resolve, reject) => {
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(kept));
    request.addEventListener('success', () => {
      request.result.addEventListener('close', closed);
      resolve(request.result);
    });
    request.addEventListener('error', () => {
      closed();
      reject(request.error ?? new Error('the browser keeps nothing'));
    });
  });
}
