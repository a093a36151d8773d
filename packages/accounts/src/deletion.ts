import type { Db, Queryable } from '@linnet/db/database';

import { countAttempt, markDeleted } from './deletion-store.ts';
import { verifyPassword } from './password-hash.ts';

export interface Deletion {
  readonly accountId: number;
  readonly password: string;
  /** False: attempts are not counted (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

export type DeletionOutcome =
  | { readonly outcome: 'deleted' | 'wrong-password' | 'gone' }
  | { readonly outcome: 'too-many-attempts'; readonly retryAfterSeconds: number };

/** Wrong passwords of one account in a window; the right one is let through as long as they last. */
const maxAttempts = 10;

interface Databases {
  /** Keeps the count of attempts. */
  readonly db: Db;
  /** Where the account is deleted: the transaction of the call, which a wrong password undoes. */
  readonly within: Queryable;
}

/** Two statements: the attempt is counted before the password is looked at, and forgotten when it was right. */
export async function deleteAccount(
  { db, within }: Databases,
  { accountId, password, isLimited }: Deletion,
): Promise<DeletionOutcome> {
  const attempt = await countAttempt(db, accountId);
  if (attempt === undefined) return { outcome: 'gone' };
  if (isLimited && attempt.attempts > maxAttempts) {
    return { outcome: 'too-many-attempts', retryAfterSeconds: attempt.retryAfterSeconds };
  }
  if (!(await verifyPassword(password, attempt.hash))) return { outcome: 'wrong-password' };
  // A password that was changed meanwhile is no longer the one that was checked.
  const isDeleted = await markDeleted(within, { accountId, epoch: attempt.epoch });
  return { outcome: isDeleted ? 'deleted' : 'wrong-password' };
}
