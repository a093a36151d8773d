import type { Db } from '@linnet/db/database';
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';

export interface AttemptLimit {
  /** What is attempted; begins the keys of its counters. */
  readonly name: string;
  readonly attempts: number;
  /** Counted from the first attempt. */
  readonly windowSeconds: number;
}

/** Counts attempts in the database, so that every process knows of all of them. */
export interface AttemptCounter {
  /** Counts an attempt; one too many gives the seconds until the next is let through. */
  count(key: string): Promise<number | undefined>;
  /** Takes an attempt back. */
  takeBack(key: string): Promise<void>;
  /** Takes every attempt back. */
  forget(key: string): Promise<void>;
}

/** Attempts are refused while the database is away (DatabaseUnavailable). */
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
    takeBack: async (key) => {
      await limiter.reward(key);
    },
    forget: async (key) => {
      await limiter.delete(key);
    },
  };
}
