/** The table `revocation`: read by every process, written by triggers and, for single tokens, here. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

export type RevocationKind = 'account' | 'client' | 'grant' | 'key' | 'token';

/** Something changed that tokens hang on. */
export interface Change {
  readonly kind: RevocationKind;
  readonly id: string;
  /** Tokens of a lower epoch are dead; with null all of them are. */
  readonly epoch: number | null;
  /** How long there may be tokens that it is about. */
  readonly secondsLeft: number;
}

/** What has changed, and where the next look begins. */
export interface Look {
  readonly changes: readonly Change[];
  /** A transaction id as PostgreSQL writes xid8: all before it were finished. */
  readonly next: string;
}

/** Where the first look begins. */
export const fromTheBeginning = '0';

interface Row {
  readonly next: string;
  readonly kind: RevocationKind | null;
  readonly id: string;
  readonly epoch: number | null;
  readonly seconds_left: number;
}

const lookStatement = statement<readonly [since: string], Row>(
  'revocation_look',
  // The snapshot is the statement's own: what it does not show yet is written by `next` or later.
  `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS next, r.kind::text AS kind, r.id, r.epoch,
          EXTRACT(EPOCH FROM r.expires_at - now())::float8 AS seconds_left
     FROM (VALUES (1)) AS one (row)
     LEFT JOIN revocation r ON r.changed_xid >= $1::xid8 AND r.expires_at > now()`,
);

/** What changed in transactions from `since` on, as far as they are committed; one statement. */
export async function readChanges(db: Queryable, since: string): Promise<Look> {
  const rows = await db.query(lookStatement, [since]);
  return {
    next: rows[0]?.next ?? since,
    changes: rows.flatMap(({ kind, id, epoch, seconds_left: secondsLeft }) =>
      kind === null ? [] : [{ kind, id, epoch, secondsLeft }],
    ),
  };
}

const revokeStatement = statement<readonly [jti: string], never>(
  'revocation_token',
  `SELECT revoke_tokens('token', $1, NULL)`,
);

/** Ends one access token, by its `jti`. */
export async function revokeToken(db: Queryable, jti: string): Promise<void> {
  await db.query(revokeStatement, [jti]);
}

const sweepStatement = statement<readonly [], never>(
  'revocation_sweep',
  `DELETE FROM revocation r USING (SELECT kind, id FROM revocation WHERE expires_at < now()
                                    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED) AS gone
    WHERE r.kind = gone.kind AND r.id = gone.id`,
);

/** Removes rows that no token is left for, a thousand at a time. */
export async function sweepRevocations(db: Queryable): Promise<void> {
  await db.query(sweepStatement, []);
}
