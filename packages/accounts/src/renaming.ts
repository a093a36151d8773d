import type { Queryable } from '@linnet/db/database';

import { isReservedUsername } from './reserved-usernames.ts';
import { findUsername, giveUsername } from './username-store.ts';

export interface Renaming {
  readonly accountId: number;
  /** Already checked against the contract's rules. */
  readonly username: string;
}

export interface RenamingOutcome {
  /** Another account has the name or gave it up less than 30 days ago, or nobody can have it. */
  readonly isTaken: boolean;
  /** The account's name now. */
  readonly username: string;
  /** Seconds until another name can be had; null unless the account keeps as many old names as it may. */
  readonly retryAfterSeconds: number | null;
}

/** Gives an account another name; its own, written differently, and one that it had before are free to it. */
export async function renameAccount(
  db: Queryable,
  { accountId, username }: Renaming,
): Promise<RenamingOutcome | undefined> {
  if (!isReservedUsername(username)) return await giveUsername(db, accountId, username);
  const present = await findUsername(db, accountId);
  return present === undefined ? undefined : { isTaken: true, username: present, retryAfterSeconds: null };
}
