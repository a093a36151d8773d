import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Given {
  readonly isTaken: boolean;
  readonly username: string;
  /** Seconds until another name can be had; null unless the account keeps too many old ones. */
  readonly retryAfterSeconds: number | null;
}

/** How long a name that was given up stays its owner's (decisions D40). */
const reservedDays = 30;

/** Old names that an account keeps from others at one time (docs/spec-decisions.md, D40). */
const maxOldNames = 10;

// A function of the database: what it asks and what it writes needs the locks of both names first.
const renameStatement = statement<readonly [accountId: number, username: string], Given>(
  'account_rename',
  `SELECT is_taken AS "isTaken", username,
     CASE WHEN retry_at IS NOT NULL THEN greatest(1, ceil(EXTRACT(EPOCH FROM retry_at - now())))::int END
       AS "retryAfterSeconds"
   FROM rename_account($1, $2, now() + interval '${String(reservedDays)} days', ${String(maxOldNames)})`,
);

/** Gives a name unless it is taken or the account keeps too many; the old one stays reserved. `undefined`: there is no such account. */
export async function giveUsername(db: Queryable, accountId: number, username: string): Promise<Given | undefined> {
  const [row] = await db.query(renameStatement, [accountId, username]);
  return row;
}

const findStatement = statement<readonly [accountId: number], { username: string }>(
  'account_username',
  'SELECT username FROM account WHERE id = $1 AND deleted_at IS NULL',
);

export async function findUsername(db: Queryable, accountId: number): Promise<string | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row?.username;
}
