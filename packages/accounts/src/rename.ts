import type { Queryable } from '@linnet/db/statement/transaction';

import type { NameRules } from './names/name-rules.ts';
import { checkWords } from './registrations/block-store.ts';
import { isReservedUsername } from './reserved-usernames.ts';
import { changeUsername, findUsername } from './username-store.ts';

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
