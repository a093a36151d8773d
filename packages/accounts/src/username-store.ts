import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Given {
  readonly isTaken: boolean;
  readonly username: string;
}

/** How long a name that was given up stays its owner's (decisions D40). */
const reservedDays = 30;

// A function of the database: what it asks and what it writes needs the locks of both names first.
const renameStatement = statement<readonly [accountId: number, username: string], Given>(
  'account_rename',
  `SELECT is_taken AS "isTaken", username
   FROM rename_account($1, $2, now() + interval '${String(reservedDays)} days')`,
);

/** Gives a name unless it is taken; the old one stays reserved. `undefined`: there is no such account. */
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
