/** The table `revocation`: triggers write it, and this file for single tokens; every process reads it. */
import type { Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement';

export type RevocationKind = 'account' | 'client' | 'grant' | 'key' | 'token';

/** A change of something that access tokens depend on. */
export interface Change {
  readonly kind: RevocationKind;
  readonly id: string;
  /** Tokens with a lower epoch are revoked; null: all tokens. */
  readonly epoch: number | null;
  /** Seconds until every token that the change concerns has expired. */
  readonly secondsLeft: number;
}

/** The result of a poll. */
export interface Changes {
  readonly changes: readonly Change[];
  /** The position for the next poll: a transaction id as text (xid8); all transactions before it have ended. */
  readonly next: string;
}

/** The position of the first poll. */
export const startPosition = '0';

interface Row {
  readonly next: string;
  readonly kind: RevocationKind | null;
  readonly id: string;
  readonly epoch: number | null;
  readonly seconds_left: number;
}

const changesStatement = statement<readonly [position: string], Row>(
  'revocation_changes',
  // `next` comes from the snapshot of this statement: rows it does not show are written by transactions from `next` on.
  `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS next, r.kind::text AS kind, r.id, r.epoch,
          EXTRACT(EPOCH FROM r.expires_at - now())::float8 AS seconds_left
     FROM (VALUES (1)) AS one (row)
     LEFT JOIN revocation r ON r.changed_xid >= $1::xid8 AND r.expires_at > now()`,
);

/** Reads the committed changes of transactions from `position` on, in one statement. */
export async function readChanges(db: Queryable, position: string): Promise<Changes> {
  const rows = await db.query(changesStatement, [position]);
  return {
    next: requireRow(rows, changesStatement).next,
    changes: rows.flatMap(({ kind, id, epoch, seconds_left: secondsLeft }) =>
      kind === null ? [] : [{ kind, id, epoch, secondsLeft }],
    ),
  };
}

const revokeStatement = statement<readonly [jti: string], never>(
  'revocation_token',
  `SELECT revoke_tokens('token', $1, NULL)`,
);

/** Revokes one access token by its `jti`. */
export async function revokeToken(db: Queryable, jti: string): Promise<void> {
  await db.query(revokeStatement, [jti]);
}

const sweepStatement = statement<readonly [], never>(
  'revocation_sweep',
  `DELETE FROM revocation r USING (SELECT kind, id FROM revocation WHERE expires_at < now()
                                    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED) AS expired
    WHERE r.kind = expired.kind AND r.id = expired.id`,
);

/** Deletes up to 1000 expired rows. */
export async function sweepRevocations(db: Queryable): Promise<void> {
  await db.query(sweepStatement, []);
}
