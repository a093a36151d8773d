/** Changes to consents: fewer scopes, another expiry. Removing a scope raises the epoch, which revokes earlier tokens. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isActiveGrant } from './active-grant.ts';

/** A new expiry. It extends only what the person saw when they chose it; it shortens every grant. */
interface NewLifetime {
  /** From now; undefined: does not expire. */
  readonly seconds: number | undefined;
  /** The scopes that the page listed. A grant with any other scope is not extended. */
  readonly shown: readonly string[];
}

export interface ConsentChange {
  readonly accountId: number;
  readonly clientId: string;
  /** Scopes to remove. */
  readonly removed: readonly string[];
  /** Omit to keep the expiry. */
  readonly lifetime?: NewLifetime;
  /** Grant that is not changed. */
  readonly exceptId?: string;
}

const changeStatement = statement<
  readonly [
    accountId: number,
    clientId: string,
    removed: readonly string[],
    hasNewLifetime: boolean,
    seconds: number | null,
    exceptId: string,
    shown: readonly string[],
  ],
  { changed: number }
>(
  'grant_change',
  // LEAST ignores NULL, which means no expiry here.
  `UPDATE "grant" g
      SET scopes = ARRAY(SELECT s.scope FROM unnest(g.scopes) WITH ORDINALITY AS s (scope, position)
                          WHERE s.scope <> ALL ($3::text[]) ORDER BY s.position),
          ends_at = CASE WHEN NOT $4::boolean THEN g.ends_at
                         WHEN g.scopes <@ ($7::text[] || $3::text[]) THEN now() + make_interval(secs => $5::float8)
                         ELSE LEAST(g.ends_at, now() + make_interval(secs => $5::float8)) END,
          epoch = g.epoch + CASE WHEN g.scopes && $3::text[] THEN 1 ELSE 0 END
    WHERE g.account_id = $1 AND g.client_id = $2 AND g.kind = 'consent' AND g.id <> $6::varchar AND ${isActiveGrant('g')}
      AND (g.scopes && $3::text[] OR $4::boolean)
   RETURNING 1 AS changed`,
);

/** Changes every active consent of the account to the application. False if there was nothing to change. */
export async function changeConsents(db: Queryable, change: ConsentChange): Promise<boolean> {
  const { accountId, clientId, removed, lifetime, exceptId = '' } = change;
  const seconds = lifetime?.seconds ?? null;
  const rows = await db.query(changeStatement, [
    accountId,
    clientId,
    removed,
    lifetime !== undefined,
    seconds,
    exceptId,
    lifetime?.shown ?? [],
  ]);
  return rows.length > 0;
}

/** SQL: whether `revokeExpiredGrants` has something to do. */
export const isGrantDue = 'EXISTS (SELECT 1 FROM "grant" WHERE revoked_at IS NULL AND ends_at <= now())';

const revokeExpiredStatement = statement<readonly [], never>(
  'grant_revoke_expired',
  `UPDATE "grant" g SET revoked_at = now()
     FROM (SELECT id FROM "grant" WHERE revoked_at IS NULL AND ends_at <= now()
            ORDER BY ends_at LIMIT 1000 FOR UPDATE SKIP LOCKED) AS expired
    WHERE g.id = expired.id`,
);

/**
 * Every statement already rejects expired grants, by the clock of the database. This revokes them, so that the
 * revocation feed notifies processes that do not query the database. Safe to run in several processes at once.
 */
export async function revokeExpiredGrants(db: Queryable): Promise<void> {
  await db.query(revokeExpiredStatement, []);
}
