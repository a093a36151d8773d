import type { MediaStorage } from './media-storage.ts';

/**
 * Creates storage that stores new files in `current`, and still finds those that were stored in `other` and have not been moved
 * (`linnet media move`). A removal removes the files from both.
 */
export function combineStorages(current: MediaStorage, other: MediaStorage): MediaStorage {
  return {
    ...current,
    // The file may be moved between the first two.
    open: async (name, rendition) =>
      (await current.open(name, rendition)) ??
      (await other.open(name, rendition)) ??
      (await current.open(name, rendition)),
    remove: async (name) => {
      await current.remove(name);
      await other.remove(name);
    },
  };
}
