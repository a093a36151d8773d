/** Ends the sessions and access tokens of accounts that were issued before a moment, many accounts at a time. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** What ends: everything issued before a time (ISO 8601), or, without one, before the statement runs. */
export type Moment = string | undefined;

const atOnce = 200;

const findStatement = statement<
  readonly [after: number, accountId: number | null, before: string | null],
  { readonly id: number; readonly epoch: number }
>(
  'account_issued_before',
  // A database that was restored knows lower epochs than the tokens that were issued after its backup. So the new epoch is not
  // the next one, but at least the number of minutes since 1970.
  `SELECT id, GREATEST(epoch, (EXTRACT(EPOCH FROM clock_timestamp()) / 60)::integer) + 1 AS epoch FROM account
    WHERE id > $1 AND ($2::bigint IS NULL OR id = $2) AND created_at < COALESCE($3::timestamptz, clock_timestamp())
      AND deleted_at IS NULL
    ORDER BY id LIMIT ${String(atOnce)} FOR NO KEY UPDATE`,
);

const keepStatement = statement<readonly [ids: readonly number[], epochs: readonly number[], before: string], never>(
  'session_issued_after',
  `UPDATE session s SET login_epoch = raised.epoch
     FROM unnest($1::bigint[], $2::integer[]) AS raised (id, epoch) JOIN account a ON a.id = raised.id
    WHERE s.account_id = a.id AND s.login_epoch = a.epoch AND s.revoked_at IS NULL
      AND s.created_at >= $3::timestamptz
      AND COALESCE(to_timestamp((s.payload ->> 'loginTs')::bigint), s.created_at) >= $3::timestamptz`,
);

const raiseStatement = statement<readonly [ids: readonly number[], epochs: readonly number[]], never>(
  'account_epoch_raise_many',
  `UPDATE account a SET epoch = raised.epoch FROM unnest($1::bigint[], $2::integer[]) AS raised (id, epoch)
    WHERE a.id = raised.id`,
);

export interface AccountBatch {
  /** Only this account. */
  readonly accountId: number | undefined;
  readonly before: Moment;
  /** Accounts with higher ids only. */
  readonly after: number;
}

/**
 * Ends the sessions and tokens of the next accounts that existed at the moment. Sessions since then stay; access tokens since
 * then end as well, because nothing but the token says when it was issued. Returns the ids, in order; none: it was the last step.
 */
export async function endAccountsIssuedBefore(
  tx: Queryable,
  { accountId, before, after }: AccountBatch,
): Promise<readonly number[]> {
  const found = await tx.query(findStatement, [after, accountId ?? null, before ?? null]);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const epochs = found.map(({ epoch }) => epoch);
  if (before !== undefined) await tx.query(keepStatement, [ids, epochs, before]);
  await tx.query(raiseStatement, [ids, epochs]);
  return ids;
}
