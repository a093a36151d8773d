import type { RateLimit } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

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

export interface Count {
  /** Calls in the present window, this one included. */
  readonly calls: number;
  /** Until the window ends. */
  readonly seconds: number;
}

/** Counts a call for every process; one statement. */
export async function countShared(db: Queryable, key: string, { windowSeconds }: RateLimit): Promise<Count> {
  const [row] = await db.query(countStatement, [key, windowSeconds]);
  // Rounding to milliseconds may make a fresh window a second longer.
  const seconds = Math.min(windowSeconds, Math.max(1, row?.seconds ?? windowSeconds));
  return { calls: row?.points ?? 0, seconds };
}

const sweepStatement = statement<readonly [], never>(
  'rate_limit_sweep',
  `DELETE FROM rate_limit WHERE key IN (SELECT key FROM rate_limit WHERE expire < now() LIMIT 1000) AND expire < now()`,
);

/** Deletes counters whose time is over, a thousand at a time. */
export async function sweepCounters(db: Queryable): Promise<void> {
  await db.query(sweepStatement, []);
}
