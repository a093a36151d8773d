/** Changes of what was allowed: fewer scopes, another end. Tokens with what was taken away end with their epoch. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { isLiving } from './active-grant.ts';

export interface ConsentChange {
  readonly accountId: number;
  readonly clientId: string;
  /** What is taken away. */
  readonly removed: readonly string[];
  /** From now on; without seconds until somebody ends it. Left out, the end stays. */
  readonly lasts?: { readonly seconds: number | undefined };
  /** This one is left as it is. */
  readonly exceptId?: string;
}

const changeStatement = statement<
  readonly [
    accountId: number,
    clientId: string,
    removed: readonly string[],
    hasEnd: boolean,
    seconds: number | null,
    exceptId: string,
  ],
  { changed: number }
>(
  'grant_change',
  `UPDATE "grant" g
      SET scopes = ARRAY(SELECT w.word FROM unnest(g.scopes) WITH ORDINALITY AS w (word, place)
                          WHERE w.word <> ALL ($3::text[]) ORDER BY w.place),
          ends_at = CASE WHEN $4::boolean THEN now() + make_interval(secs => $5::float8) ELSE g.ends_at END,
          epoch = g.epoch + CASE WHEN g.scopes && $3::text[] THEN 1 ELSE 0 END
    WHERE g.account_id = $1 AND g.client_id = $2 AND g.kind = 'consent' AND g.id <> $6::varchar AND ${isLiving('g')}
      AND (g.scopes && $3::text[] OR $4::boolean)
   RETURNING 1 AS changed`,
);

/** Changes every living consent of the account to the application; tells whether there was one to change. */
export async function changeConsents(db: Queryable, change: ConsentChange): Promise<boolean> {
  const { accountId, clientId, removed, lasts, exceptId = '' } = change;
  const seconds = lasts?.seconds ?? null;
  const rows = await db.query(changeStatement, [accountId, clientId, removed, lasts !== undefined, seconds, exceptId]);
  return rows.length > 0;
}

const endStatement = statement<readonly [], never>(
  'grant_end_due',
  `UPDATE "grant" g SET revoked_at = now()
     FROM (SELECT id FROM "grant" WHERE revoked_at IS NULL AND ends_at <= now()
            ORDER BY ends_at LIMIT 1000 FOR UPDATE SKIP LOCKED) AS due
    WHERE g.id = due.id`,
);

/**
 * Marks what is past its end as revoked, so that the revocation feed tells of it: whatever the clocks of servers
 * say, the end is the database's. Any number of processes may do it at once.
 */
export async function endDueGrants(db: Queryable): Promise<void> {
  await db.query(endStatement, []);
}
