import { isAnswerLost } from '@linnet/db/database-error';

/**
 * Sums that many requests add to, kept in memory and stored together now and then: counting costs a request
 * no statement. Whoever made it flushes it each second, and once more at the end; a crash may lose a second, and so
 * may an answer of the database that does not arrive: nothing is counted twice.
 */
export interface Tally<Sum> {
  add(key: string, amount: Sum): void;
  /**
   * Stores what has come since the last time.
   * @throws what `store` throws; unless they may be stored already, the sums wait for the next time then.
   */
  flush(): Promise<void>;
}

interface TallyOptions<Sum> {
  /** One sum of two. */
  readonly join: (one: Sum, other: Sum) => Sum;
  /** Adds the sums to those that are stored already. */
  readonly store: (sums: ReadonlyMap<string, Sum>) => Promise<void>;
}

/** More keys than this wait for the database only when it is away; those that come then are not counted. */
const maxKeys = 50_000;

export function createTally<Sum>({ join, store }: TallyOptions<Sum>): Tally<Sum> {
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
        if (!isAnswerLost(error)) for (const [key, sum] of taken) add(key, sum);
        throw error;
      }
    },
  };
}
