import { isOutcomeUnknown } from './database-error.ts';

/**
 * Sums that many requests add to. They are kept in memory and stored together, so that counting costs a request no
 * statement. The owner calls `flush` every second and on shutdown. A crash, or a response of the database that is lost,
 * can lose the sums of one interval; nothing is counted twice.
 */
export interface SumBuffer<Sum> {
  add(key: string, amount: Sum): void;
  /**
   * Stores the sums since the last call.
   * @throws The error of `store`. The sums are kept for the next call, unless they may have been stored already.
   */
  flush(): Promise<void>;
}

interface SumBufferOptions<Sum> {
  /** Adds two sums. */
  readonly join: (one: Sum, other: Sum) => Sum;
  /** Adds the sums to those in the database. */
  readonly store: (sums: ReadonlyMap<string, Sum>) => Promise<void>;
}

/** The buffer reaches this size only if the database is unreachable. Further keys are dropped. */
const maxKeys = 50_000;

export function createSumBuffer<Sum>({ join, store }: SumBufferOptions<Sum>): SumBuffer<Sum> {
  let sums = new Map<string, Sum>();
  const add = (key: string, amount: Sum): void => {
    const sum = sums.get(key);
    if (sum !== undefined) sums.set(key, join(sum, amount));
    else if (sums.size < maxKeys) sums.set(key, amount);
  };
  return {
    add,
    flush: async () => {
      if (sums.size === 0) return;
      const taken = sums;
      sums = new Map();
      try {
        await store(taken);
      } catch (error) {
        if (!isOutcomeUnknown(error)) for (const [key, sum] of taken) add(key, sum);
        throw error;
      }
    },
  };
}
