/**
 * Stores items in batches, one batch at a time; items that arrive during a write form the next batch. A flood of items
 * then costs the database one connection and few statements, and callers do not wait.
 */
export interface BatchWriter<Item> {
  add(item: Item): void;
}

/** The queue reaches this length only if the database is unreachable. Further items are dropped and reported. */
const maxWaiting = 10_000;
const maxBatch = 500;

export interface BatchWriterOptions<Item> {
  readonly store: (items: readonly Item[]) => Promise<void>;
  /** Called when `count` items were dropped because `store` failed or the queue was full. */
  readonly onLost: (count: number, cause: unknown) => void;
}

export function createBatchWriter<Item>({ store, onLost }: BatchWriterOptions<Item>): BatchWriter<Item> {
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
        onLost(1, new Error('The queue is full.'));
        return;
      }
      waiting.push(item);
      if (!isStoring) void storeAll();
    },
  };
}
