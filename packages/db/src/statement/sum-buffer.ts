import { isOutcomeUnknown, isRowRejected } from '../connection/database-error.ts';
import type { Queryable } from './transaction.ts';
import { storeApart } from '../store-apart.ts';
import { requireRow, statement } from './statement.ts';

/**
 * Sums that many requests add to. They are kept in memory and stored together, so that counting costs a request no
 * statement. The owner calls `flush` every second and on shutdown. A crash, or a response of the database that is lost,
 * can lose the sums of one interval; nothing is counted twice.
 */
export interface SumBuffer<Sum> {
  add(key: string, amount: Sum): void;
  /**
   * Stores the sums since the last call.
   * @throws The error of `store`. The sums are kept for the next call, unless they may have been stored already. A sum that the
   * database rejects is dropped and holds up no other.
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
      const taken = [...sums];
      sums = new Map();
      const errors: unknown[] = [];
      await storeApart(
        taken,
        async (part) => await store(new Map(part)),
        (part, error) => {
          errors.push(error);
          if (!isOutcomeUnknown(error) && !isRowRejected(error)) for (const [key, sum] of part) add(key, sum);
        },
      );
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Requests in a window that begins with the first of them. */
export interface Count {
  /** Requests in the current window. */
  readonly requests: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

interface Window {
  readonly windowSeconds: number;
}

const countStatement = statement<
  readonly [key: string, windowSeconds: number],
  { readonly points: number; readonly seconds: number }
>(
  'rate_limit_count',
  `INSERT INTO rate_limit AS r (key, points, expire) VALUES ($1, 1, now() + make_interval(secs => $2))
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire > now() THEN r.points + 1 ELSE 1 END,
     expire = CASE WHEN r.expire > now() THEN r.expire ELSE EXCLUDED.expire END
   RETURNING points, ceil(extract(epoch FROM expire - now()))::integer AS seconds`,
);

/** Counts a request over all processes, in one statement. The returned count includes it. */
export async function countShared(db: Queryable, key: string, { windowSeconds }: Window): Promise<Count> {
  const row = requireRow(await db.query(countStatement, [key, windowSeconds]), countStatement);
  // Rounding to milliseconds can make a new window a second longer.
  return { requests: row.points, seconds: Math.min(windowSeconds, Math.max(1, row.seconds)) };
}

const readStatement = statement<readonly [key: string], { readonly points: number; readonly seconds: number }>(
  'rate_limit_read',
  `SELECT points, ceil(extract(epoch FROM expire - now()))::integer AS seconds
     FROM rate_limit WHERE key = $1 AND expire > now()`,
);

/** Reads a counter without counting a request. */
export async function readShared(db: Queryable, key: string, { windowSeconds }: Window): Promise<Count> {
  const [row] = await db.query(readStatement, [key]);
  if (row === undefined) return { requests: 0, seconds: windowSeconds };
  return { requests: row.points, seconds: Math.min(windowSeconds, Math.max(1, row.seconds)) };
}
