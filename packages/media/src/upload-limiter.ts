import { LRUCache } from 'lru-cache';

/** The account has too many concurrent uploads, or too many within an hour. */
export class TooManyUploads extends Error {
  override readonly name = 'TooManyUploads';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too many uploads');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface UploadLimiter {
  /** Counts an upload as running until the result is disposed of. @throws TooManyUploads */
  acquire(accountId: number): Disposable;
}

interface Limits {
  readonly concurrent: number;
  readonly perHour: number;
}

interface Usage {
  running: number;
  /** Milliseconds since the epoch. */
  windowEndsAt: number;
  inWindow: number;
}

const hourMs = 3_600_000;
const maxAccounts = 10_000;

/** Creates a limiter that counts the uploads of this process. `now` returns milliseconds since the epoch. */
export function createUploadLimiter({ concurrent, perHour }: Limits, now: () => number = Date.now): UploadLimiter {
  const accounts = new LRUCache<number, Usage>({ max: maxAccounts });
  return {
    acquire: (accountId) => {
      const known = accounts.get(accountId);
      const usage: Usage = known ?? { running: 0, windowEndsAt: now() + hourMs, inWindow: 0 };
      if (now() >= usage.windowEndsAt) Object.assign(usage, { windowEndsAt: now() + hourMs, inWindow: 0 });
      if (usage.running >= concurrent) throw new TooManyUploads(1);
      if (usage.inWindow >= perHour) throw new TooManyUploads(Math.ceil((usage.windowEndsAt - now()) / 1000));
      usage.running += 1;
      usage.inWindow += 1;
      accounts.set(accountId, usage);
      return { [Symbol.dispose]: () => (usage.running -= 1) };
    },
  };
}

/** A limiter without limits, for RATE_LIMITS=off. */
export const unlimitedUploads: UploadLimiter = { acquire: () => ({ [Symbol.dispose]: () => undefined }) };
