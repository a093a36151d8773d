import { setTimeout as delay } from 'node:timers/promises';

import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Secret } from '@linnet/service/config/secret';

import { loadKeyRing } from './key-ring.ts';
import type { KeyRing } from './key-ring.ts';
import type { KeyDatabase } from './key-store.ts';

interface LiveKeyRingOptions {
  readonly db: KeyDatabase;
  readonly secretKeys: readonly Secret[];
  readonly feed: Pick<RevocationFeed, 'onChange'>;
  /** Receives the first ring and each one that differs from the previous one. */
  readonly use: (ring: KeyRing) => void;
  /** Receives the errors of reloading. The loaded keys stay in use. */
  readonly onError: (error: unknown) => void;
}

/** Keeps the key ring of this process up to date; the revocation feed reports every change. */
export interface LiveKeyRing {
  /** A job of each process: reloads the ring in case the feed missed a change. */
  reload(): Promise<void>;
}

/** Delays before each attempt to reload the keys after a change; afterwards the job retries. */
const retriesMs = [0, 200, 500, 1000, 2000];

/** Loads the ring. @throws what `loadKeyRing` throws. */
export async function createLiveKeyRing(options: LiveKeyRingOptions): Promise<LiveKeyRing> {
  const { db, secretKeys, feed, use, onError } = options;
  let inUse = '';
  let isStale = false;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const ring = await loadKeyRing(db, secretKeys);
    const used = [...Object.values(ring.current), ...Object.values(ring.next), ...ring.published];
    const shape = used.map(({ kid }) => kid).join(' ');
    if (shape === inUse) return;
    use(ring);
    inUse = shape;
  }

  /** A change that arrives while the keys are being read triggers another read. */
  async function readUntilFresh(): Promise<void> {
    for (const waitMs of retriesMs) {
      await delay(waitMs, undefined, { ref: false });
      isStale = false;
      try {
        await read();
      } catch (error) {
        onError(error);
        isStale = true;
      }
      if (!isStale) return;
    }
  }

  await read();
  feed.onChange(({ kind }) => {
    if (kind !== 'key') return undefined;
    isStale = true;
    reading ??= readUntilFresh().finally(() => (reading = undefined));
    return reading;
  });
  return {
    reload: read,
  };
}
