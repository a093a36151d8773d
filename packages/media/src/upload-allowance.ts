import { LRUCache } from 'lru-cache';

/** The account uploads more at once, or more in an hour, than it may. */
export class TooManyUploads extends Error {
  override readonly name = 'TooManyUploads';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too many uploads');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Holds a place among the account's uploads. */
export interface UploadAllowance {
  /** The place is given back when disposed of. @throws TooManyUploads */
  enter(accountId: number): Disposable;
}

interface Limits {
  readonly atOnce: number;
  readonly perHour: number;
}

interface Uploads {
  atOnce: number;
  windowEndsAt: number;
  inWindow: number;
}

const hourMs = 3_600_000;
const rememberedAccounts = 10_000;

/** Counts in this process alone. */
export function createUploadAllowance({ atOnce, perHour }: Limits, now: () => number = Date.now): UploadAllowance {
  const accounts = new LRUCache<number, Uploads>({ max: rememberedAccounts });
  return {
    enter: (accountId) => {
      const known = accounts.get(accountId);
      const uploads: Uploads = known ?? { atOnce: 0, windowEndsAt: now() + hourMs, inWindow: 0 };
      if (now() >= uploads.windowEndsAt) Object.assign(uploads, { windowEndsAt: now() + hourMs, inWindow: 0 });
      if (uploads.atOnce >= atOnce) throw new TooManyUploads(1);
      if (uploads.inWindow >= perHour) throw new TooManyUploads(Math.ceil((uploads.windowEndsAt - now()) / 1000));
      uploads.atOnce += 1;
      uploads.inWindow += 1;
      accounts.set(accountId, uploads);
      return { [Symbol.dispose]: () => (uploads.atOnce -= 1) };
    },
  };
}

/** For RATE_LIMITS=off. */
export const unlimitedUploads: UploadAllowance = { enter: () => ({ [Symbol.dispose]: () => undefined }) };
