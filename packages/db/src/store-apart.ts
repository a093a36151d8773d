import { isRowRejected } from './connection/database-error.ts';

/**
 * Stores items in one statement. If the database rejects a row, each half is stored on its own, down to single items, so
 * that a row that it rejects loses no other. Never rejects: `onLost` is called for each part that is not stored.
 */
export async function storeApart<Item>(
  items: readonly Item[],
  store: (part: readonly Item[]) => Promise<void>,
  onLost: (part: readonly Item[], cause: unknown) => void,
): Promise<void> {
  try {
    await store(items);
  } catch (cause) {
    if (items.length === 1 || !isRowRejected(cause)) {
      onLost(items, cause);
      return;
    }
    const middle = Math.ceil(items.length / 2);
    await storeApart(items.slice(0, middle), store, onLost);
    await storeApart(items.slice(middle), store, onLost);
  }
}
