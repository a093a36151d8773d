import { setTimeout as delay } from 'node:timers/promises';

import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Secret } from '@linnet/service/secret';

import { advanceSigningKeys } from './key-changes-store.ts';
import { loadKeyRing } from './key-ring.ts';
import type { KeyRing } from './key-ring.ts';
import type { KeyDatabase } from './key-store.ts';

interface LiveKeyRingOptions {
  readonly db: KeyDatabase;
  readonly secretKeys: readonly Secret[];
  readonly feed: Pick<RevocationFeed, 'onChange'>;
  /** Called with each ring that differs from the one before, the first included. */
  readonly use: (ring: KeyRing) => void;
  /** Hears why the keys could not be read anew; those at hand go on working. */
  readonly onError: (error: unknown) => void;
}

/** Keeps the ring of this process in step with the database: the feed tells of every change. */
export interface LiveKeyRing {
  /** The turn of the job: takes the steps that are due, and reads the ring in case the feed was missed. */
  tend(): Promise<void>;
}

/** Between two attempts to read the keys after a change; then the job tries again. */
const retriesMs = [0, 200, 500, 1000, 2000];

/** Loads the ring. @throws as `loadKeyRing` does. */
export async function createLiveKeyRing(options: LiveKeyRingOptions): Promise<LiveKeyRing> {
  const { db, secretKeys, feed, use, onError } = options;
  let inUse = '';
  let isStale = false;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const ring = await loadKeyRing(db, secretKeys);
    const shape = [ring.current, ring.next, ...ring.published].map(({ kid }) => kid).join(' ');
    if (shape === inUse) return;
    use(ring);
    inUse = shape;
  }

  /** A change that comes while the keys are read asks for another reading. */
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
    if (kind !== 'key') return;
    isStale = true;
    reading ??= readUntilFresh().finally(() => (reading = undefined));
  });
  return {
    tend: async () => {
      await advanceSigningKeys(db, secretKeys);
      await read();
    },
  };
}
