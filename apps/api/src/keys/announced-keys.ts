import { setTimeout as delay } from 'node:timers/promises';

/** Keys that the revocation feed announced and that are not loaded yet. */
interface AnnouncedKeys {
  announce(kid: string): void;
  /** Resolves when the key is loaded or the search ends; `undefined` for a key that was not announced. */
  find(kid: string): Promise<void> | undefined;
}

interface AnnouncedKeysOptions {
  readonly isPublished: (kid: string) => boolean;
  readonly load: () => Promise<void>;
  readonly onLoadError: (error: unknown) => void;
}

/** Waits before each reload, because the authorization server may learn about the key later than this process. */
const retryDelaysMs = [0, 200, 300, 500, 1000, 2000];

/** Reloads the keys until all announced ones are published, for a few seconds at most. */
export function createAnnouncedKeys({ isPublished, load, onLoadError }: AnnouncedKeysOptions): AnnouncedKeys {
  const announced = new Set<string>();
  let searching: Promise<void> | undefined;

  async function search(): Promise<void> {
    for (const waitMs of retryDelaysMs) {
      await delay(waitMs, undefined, { ref: false });
      await load().catch(onLoadError);
      for (const kid of announced) if (isPublished(kid)) announced.delete(kid);
      if (announced.size === 0) return;
    }
    announced.clear();
  }

  return {
    announce: (kid) => {
      if (isPublished(kid)) return;
      announced.add(kid);
      searching ??= search().finally(() => {
        searching = undefined;
      });
    },
    find: (kid) => (announced.has(kid) ? searching : undefined),
  };
}
