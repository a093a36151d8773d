import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import type { NameRules } from './names/name-rules.ts';
import { checkWords } from './registrations/block-store.ts';
import { isReservedUsername } from './reserved-usernames.ts';

export interface RenameRequest {
  readonly accountId: number;
  /** Already validated against the contract. */
  readonly username: string;
}

export interface RenameResult {
  /** True if another account has the name, gave it up less than 30 days ago, or is verified under one that looks like it; or if it is reserved. */
  readonly isTaken: boolean;
  /** The account's username after the request. */
  readonly username: string;
  /** Seconds until the account may change its name; null unless it holds too many old names. */
  readonly retryAfterSeconds: number | null;
}

/** Old names that can be reserved for one account at a time (decisions D40). */
const maxOldNames = 10;

// A database function, because both names must be locked before it reads or writes either.
const renameStatement = statement<readonly [accountId: number, username: string], RenameResult>(
  'account_rename',
  `SELECT is_taken AS "isTaken", username,
     CASE WHEN retry_at IS NOT NULL THEN greatest(1, ceil(EXTRACT(EPOCH FROM retry_at - now())))::int END
       AS "retryAfterSeconds"
   FROM rename_account($1, $2, now() + interval '${retention.old_username.reserved}', ${String(maxOldNames)})`,
);

/**
 * Changes the username, unless it is taken or the account holds too many old names; reserves the old name.
 * Returns `undefined` if the account does not exist.
 */
export async function changeUsername(
  db: Queryable,
  accountId: number,
  username: string,
): Promise<RenameResult | undefined> {
  const [row] = await db.query(renameStatement, [accountId, username]);
  return row;
}

const findStatement = statement<readonly [accountId: number], { username: string }>(
  'account_username',
  'SELECT username FROM account WHERE id = $1 AND deleted_at IS NULL',
);

async function findUsername(db: Queryable, accountId: number): Promise<string | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row?.username;
}

/**
 * Changes a username. An account may always change the case of its name or return to one of its own old names.
 * Returns `undefined` if the account does not exist.
 * @throws NameRefused
 */
export async function renameAccount(
  db: Queryable,
  { accountId, username }: RenameRequest,
  rules: NameRules,
): Promise<RenameResult | undefined> {
  await checkWords(db, accountId, { username });
  if (!isReservedUsername(username, rules)) return await changeUsername(db, accountId, username);
  const current = await findUsername(db, accountId);
  return current === undefined ? undefined : { isTaken: true, username: current, retryAfterSeconds: null };
}

/** Deletes old names that are free again. */
export const sweepOldUsernames = createSweep('old_username', { table: 'old_username', where: 'until <= now()' });
