/** The table `application_usage`: tokens and API requests per application and day (UTC). */
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { createSumBuffer } from '@linnet/db/statement/sum-buffer';

/** Counts for the owners of applications. `SumBuffer` describes when they are stored. */
export interface ApplicationUsage {
  /** The application received a token. */
  token(clientId: string): void;
  /** The application made an API request. */
  call(clientId: string, outcome: { readonly isError: boolean }): void;
  flush(): Promise<void>;
}

interface Sum {
  readonly tokens: number;
  readonly calls: number;
  readonly errors: number;
  readonly lastUsedAt: number;
}

const addStatement = statement<readonly [sums: string], never>(
  'application_usage_add',
  // Locks in the order of the key to avoid deadlocks.
  `INSERT INTO application_usage AS stored (client_id, day, tokens, calls, errors, last_used_at)
   SELECT a.client_id, given.day, given.tokens, given.calls, given.errors, to_timestamp(given."lastUsedAt" / 1000.0)
     FROM jsonb_to_recordset($1::jsonb)
            AS given ("clientId" text, day date, tokens bigint, calls bigint, errors bigint, "lastUsedAt" bigint)
     JOIN application a ON a.client_id = given."clientId"
    ORDER BY a.client_id, given.day
   ON CONFLICT (client_id, day) DO UPDATE SET
     tokens = stored.tokens + EXCLUDED.tokens, calls = stored.calls + EXCLUDED.calls,
     errors = stored.errors + EXCLUDED.errors, last_used_at = GREATEST(stored.last_used_at, EXCLUDED.last_used_at)`,
);

const dayMs = 86_400_000;

/** Counts of deleted applications are dropped. */
export function bufferApplicationUsage(db: Queryable, now: () => number = Date.now): ApplicationUsage {
  const buffer = createSumBuffer<Sum>({
    join: (one, other) => ({
      tokens: one.tokens + other.tokens,
      calls: one.calls + other.calls,
      errors: one.errors + other.errors,
      lastUsedAt: Math.max(one.lastUsedAt, other.lastUsedAt),
    }),
    store: async (sums) => {
      const given = [...sums].map(([key, sum]) => ({ ...readKey(key), ...sum }));
      await db.query(addStatement, [JSON.stringify(given)]);
    },
  });
  const add = (clientId: string, sum: Omit<Sum, 'lastUsedAt'>): void => {
    const at = now();
    buffer.add(`${String(Math.floor(at / dayMs))} ${clientId}`, { ...sum, lastUsedAt: at });
  };
  return {
    token: (clientId) => add(clientId, { tokens: 1, calls: 0, errors: 0 }),
    call: (clientId, { isError }) => add(clientId, { tokens: 0, calls: 1, errors: isError ? 1 : 0 }),
    flush: async () => await buffer.flush(),
  };
}

function readKey(key: string): { readonly clientId: string; readonly day: string } {
  const [day, clientId] = key.split(' ');
  if (day === undefined || clientId === undefined) throw new TypeError('a key without a day and a client id');
  return { clientId, day: new Date(Number(day) * dayMs).toISOString().slice(0, 10) };
}

/** Deletes old days, but keeps the latest day of each application, however old: it shows when the application was last used. */
export const sweepApplicationUsage = createSweep('application_usage', {
  table: 'application_usage',
  where: `day < current_date - interval '${retention.application_usage.day}'
    AND EXISTS (SELECT 1 FROM application_usage later
                 WHERE later.client_id = application_usage.client_id AND later.day > application_usage.day)
    ORDER BY day`,
});
