import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { countShared } from '@linnet/db/statement/sum-buffer';

const noticeStatement = statement<readonly [login: string], never>(
  'attempts_notice',
  `WITH person AS (
     SELECT id, email FROM account
      WHERE (username_ci = $1 OR email_ci = $1) AND hidden_at IS NULL
   ), due AS (
     INSERT INTO rate_limit AS r (key, points, expire)
     SELECT 'sign-in-notice:' || id, 1, now() + interval '24 hours' FROM person
     ON CONFLICT (key) DO UPDATE SET expire = EXCLUDED.expire WHERE r.expire <= now()
     RETURNING key
   )
   INSERT INTO mail (kind, account_id, recipient)
   SELECT 'sign_in_attempts', id, email FROM person WHERE EXISTS (SELECT 1 FROM due)`,
);

/** Mails the owner of the account with this username or e-mail address, if there is one, at most once in 24 hours. */
export async function noticeAttempts(db: Queryable, login: string): Promise<void> {
  await db.query(noticeStatement, [login.trim().toLowerCase()]);
}

/** What every counter of the table `rate_limit` can do. */
interface StoredCounter {
  /** Subtracts one. */
  subtract(key: string): Promise<void>;
  /** Resets the counter. */
  reset(key: string): Promise<void>;
}

const subtractStatement = statement<readonly [key: string], never>(
  'counter_subtract',
  'UPDATE rate_limit SET points = points - 1 WHERE key = $1 AND points > 0',
);

const resetStatement = statement<readonly [key: string], never>(
  'counter_reset',
  'DELETE FROM rate_limit WHERE key = $1',
);

/** `toKey`: the key of the row. */
function createStoredCounter(db: Queryable, toKey: (key: string) => string): StoredCounter {
  return {
    subtract: async (key) => {
      await db.query(subtractStatement, [toKey(key)]);
    },
    reset: async (key) => {
      await db.query(resetStatement, [toKey(key)]);
    },
  };
}

interface AttemptLimit {
  /** Prefix of the counters' keys. */
  readonly name: string;
  readonly attempts: number;
  /** Starts at the first attempt. */
  readonly windowSeconds: number;
}

/** Counts attempts in the database, shared by all processes. */
interface AttemptCounter extends StoredCounter {
  /** Counts an attempt. Returns the seconds to wait if the limit is exceeded, otherwise undefined. */
  count(key: string): Promise<number | undefined>;
}

/** @throws DatabaseUnavailable while the database cannot be reached. */
export function createAttemptCounter(db: Queryable, limit: AttemptLimit): AttemptCounter {
  const toKey = (key: string) => `${limit.name}:${key}`;
  return {
    count: async (key) => {
      const { requests, seconds } = await countShared(db, toKey(key), limit);
      return requests > limit.attempts ? Math.max(1, seconds) : undefined;
    },
    ...createStoredCounter(db, toKey),
  };
}

/** Slows attempts down instead of blocking them: after some, each further one has to wait longer than the last. */
interface DelayLimit {
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
interface DelayCounter extends StoredCounter {
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
