import type { Db } from '@linnet/db/database';
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';

export interface AttemptLimit {
  /** Prefix of the counters' keys. */
  readonly name: string;
  readonly attempts: number;
  /** Starts at the first attempt. */
  readonly windowSeconds: number;
}

/** Counts attempts in the database, shared by all processes. */
export interface AttemptCounter {
  /** Counts an attempt. Returns the seconds to wait if the limit is exceeded, otherwise undefined. */
  count(key: string): Promise<number | undefined>;
  /** Subtracts one attempt. */
  subtract(key: string): Promise<void>;
  /** Resets the counter. */
  reset(key: string): Promise<void>;
}

/** @throws DatabaseUnavailable from `count` while the database cannot be reached. */
export function createAttemptCounter(db: Pick<Db, 'prisma'>, limit: AttemptLimit): AttemptCounter {
  const limiter = new RateLimiterPrisma({
    storeClient: db.prisma,
    tableName: 'rateLimit',
    keyPrefix: limit.name,
    points: limit.attempts,
    duration: limit.windowSeconds,
  });
  return {
    count: async (key) => {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
    subtract: async (key) => {
      await limiter.reward(key);
    },
    reset: async (key) => {
      await limiter.delete(key);
    },
  };
}
