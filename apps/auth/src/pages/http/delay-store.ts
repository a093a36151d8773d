import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { createStoredCounter } from './counter-store.ts';
import type { StoredCounter } from './counter-store.ts';

/** Slows attempts down instead of blocking them: after some, each further one has to wait longer than the last. */
export interface DelayLimit {
  /** Prefix of the counters' keys. */
  readonly name: string;
  /** Attempts without a wait. */
  readonly free: number;
  /** The first wait. Each further one is twice as long. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** The counter restarts when there was no attempt for this long. */
  readonly forgetSeconds: number;
}

type Outcome =
  | { readonly waitSeconds: number; readonly attempts?: undefined }
  /** `attempts` includes this one. */
  | { readonly waitSeconds?: undefined; readonly attempts: number };

/** Counts attempts in the database, shared by all processes. Attempts during a wait are rejected and not counted. */
export interface DelayCounter extends StoredCounter {
  count(key: string): Promise<Outcome>;
}

/** SQL: the wait after the attempts of row `r`. `expire` is always `forgetSeconds` after the last attempt. */
const wait = `make_interval(secs => CASE WHEN r.points < $3::integer THEN 0
  ELSE least($5::float8, $4::float8 * 2 ^ least(r.points - $3::integer, 30)) END)`;
const waitEnd = `r.expire - make_interval(secs => $2::float8) + ${wait}`;

type Parameters = readonly [
  key: string,
  forgetSeconds: number,
  free: number,
  firstSeconds: number,
  longestSeconds: number,
];

const countStatement = statement<Parameters, { readonly attempts: number }>(
  'delay_count',
  // Below the free attempts the clock is not asked: concurrent statements may see each other's later time.
  `INSERT INTO rate_limit AS r (key, points, expire) VALUES ($1, 1, now() + make_interval(secs => $2::float8))
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire > now() THEN r.points + 1 ELSE 1 END,
     expire = EXCLUDED.expire
   WHERE r.expire <= now() OR r.points < $3::integer OR ${waitEnd} <= now()
   RETURNING points AS attempts`,
);

const waitStatement = statement<Parameters, { readonly seconds: number }>(
  'delay_wait',
  `SELECT ceil(extract(epoch FROM ${waitEnd} - now()))::integer AS seconds FROM rate_limit r WHERE key = $1`,
);

export function createDelayCounter(db: Queryable, limit: DelayLimit): DelayCounter {
  const { name, free, firstSeconds, longestSeconds, forgetSeconds } = limit;
  const toKey = (key: string) => `${name}:${key}`;
  return {
    count: async (key) => {
      const parameters = [toKey(key), forgetSeconds, free, firstSeconds, longestSeconds] as const;
      const [counted] = await db.query(countStatement, parameters);
      if (counted !== undefined) return counted;
      const [waiting] = await db.query(waitStatement, parameters);
      return { waitSeconds: Math.max(1, waiting?.seconds ?? 1) };
    },
    ...createStoredCounter(db, toKey),
  };
}
