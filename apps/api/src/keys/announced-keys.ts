import { setTimeout as delay } from 'node:timers/promises';

/** Keys that the feed has told of and that are not at hand yet. */
interface AnnouncedKeys {
  announce(kid: string): void;
  /** Resolves when the key is there or is given up; undefined: nobody told of it. */
  find(kid: string): Promise<void> | undefined;
}

interface AnnouncedKeysOptions {
  readonly isLive: (kid: string) => boolean;
  readonly load: () => Promise<void>;
  readonly onLoadError: (error: unknown) => void;
}

/** The authorization server hears of a key as late as this process does: how long to wait before each look. */
const looksMs = [0, 200, 300, 500, 1000, 2000];

/** Looks for keys until all of them are there, a few seconds at most. */
export function createAnnouncedKeys({ isLive, load, onLoadError }: AnnouncedKeysOptions): AnnouncedKeys {
  const announced = new Set<string>();
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    for (const waitMs of looksMs) {
      await delay(waitMs, undefined, { ref: false });
      await load().catch(onLoadError);
      for (const kid of announced) if (isLive(kid)) announced.delete(kid);
      if (announced.size === 0) return;
    }
    announced.clear();
  }

  return {
    announce: (kid) => {
      if (isLive(kid)) return;
      announced.add(kid);
      looking ??= look().finally(() => {
        looking = undefined;
      });
    },
    find: (kid) => (announced.has(kid) ? looking : undefined),
  };
}
