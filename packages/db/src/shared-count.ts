import type { Queryable } from './database.ts';
import { requireRow, statement } from './statement.ts';

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
