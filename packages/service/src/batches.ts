/**
 * Stores what it is given in batches, one at a time: while one is under way, the next is collected. So a
 * flood of refusals costs the database one connection and few statements, and an answer waits for none of it.
 */
export interface Batches<Item> {
  add(item: Item): void;
}

/** More than this waits for the database only when it is away; what comes then is given up, and told. */
const maxWaiting = 10_000;
const maxBatch = 500;

export interface BatchOptions<Item> {
  readonly store: (items: readonly Item[]) => Promise<void>;
  /** Some could not be stored, and are given up. */
  readonly onLost: (count: number, cause: unknown) => void;
}

export function createBatches<Item>({ store, onLost }: BatchOptions<Item>): Batches<Item> {
  const waiting: Item[] = [];
  let isStoring = false;

  const storeAll = async (): Promise<void> => {
    isStoring = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        await store(batch);
      } catch (cause) {
        onLost(batch.length, cause);
      }
    }
    isStoring = false;
  };

  return {
    add: (item) => {
      if (waiting.length >= maxWaiting) {
        onLost(1, new Error('too many are waiting'));
        return;
      }
      waiting.push(item);
      if (!isStoring) void storeAll();
    },
  };
}
