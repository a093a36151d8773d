/** What an account has already granted an application, as the consent page lists it. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isActiveGrant } from './active-grant.ts';

interface GrantedScope {
  readonly scope: string;
  /** Expiry of the grant that keeps the scope longest; undefined: does not expire. */
  readonly endsAt: Date | undefined;
}

/** All active consents of an account to an application, taken together. */
export interface EarlierConsent {
  /** In alphabetical order. */
  readonly scopes: readonly GrantedScope[];
  /** Seconds until the first of the consents expires, by the clock of the database; undefined: none of them expires. */
  readonly secondsLeft: number | undefined;
  /** When the first of the consents expires; undefined: none of them expires. */
  readonly endsAt: Date | undefined;
}

interface Row {
  readonly scope: string | null;
  readonly ends_at: Date | null;
  readonly first_ends_at: Date | null;
  readonly seconds_left: number | null;
}

const findStatement = statement<readonly [accountId: number, clientId: string], Row>(
  'grant_earlier',
  `SELECT s.scope, CASE WHEN bool_or(g.ends_at IS NULL) THEN NULL ELSE max(g.ends_at) END AS ends_at,
          min(min(g.ends_at)) OVER () AS first_ends_at,
          EXTRACT(EPOCH FROM min(min(g.ends_at)) OVER () - now())::float8 AS seconds_left
     FROM "grant" g LEFT JOIN LATERAL unnest(g.scopes) AS s (scope) ON true
    WHERE g.account_id = $1 AND g.client_id = $2 AND g.kind = 'consent' AND ${isActiveGrant('g')}
    GROUP BY s.scope ORDER BY s.scope`,
);

/** Undefined without an active consent. */
export async function findEarlierConsent(
  db: Queryable,
  accountId: number,
  clientId: string,
): Promise<EarlierConsent | undefined> {
  const rows = await db.query(findStatement, [accountId, clientId]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    // The row without a scope belongs to a consent that grants none.
    scopes: rows.flatMap(({ scope, ends_at: endsAt }) =>
      scope === null ? [] : [{ scope, endsAt: endsAt ?? undefined }],
    ),
    secondsLeft: first.seconds_left ?? undefined,
    endsAt: first.first_ends_at ?? undefined,
  };
}
