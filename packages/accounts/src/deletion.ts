import type { Queryable } from '@linnet/db/statement/transaction';

import { countAttempt } from './deletion-store.ts';
import { verifyPassword } from './password/password-change.ts';

export interface DeletionRequest {
  readonly accountId: number;
  readonly password: string;
  /** False to accept any number of attempts (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

export type DeletionCheck =
  | {
      readonly outcome: 'correct';
      /** The account's epoch when the password was checked. */
      readonly epoch: number;
    }
  | { readonly outcome: 'wrong-password' }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'too-many-attempts'; readonly retryAfterSeconds: number };

/** Attempts per account and window of 15 minutes. */
const maxAttempts = 10;

/** Checks the password that confirms a deletion. Counts the attempt first, so that parallel attempts cannot exceed the limit. */
export async function checkDeletion(
  db: Queryable,
  { accountId, password, isLimited }: DeletionRequest,
): Promise<DeletionCheck> {
  const attempt = await countAttempt(db, accountId);
  if (attempt === undefined) return { outcome: 'not-found' };
  if (isLimited && attempt.attempts > maxAttempts) {
    return { outcome: 'too-many-attempts', retryAfterSeconds: attempt.retryAfterSeconds };
  }
  if (!(await verifyPassword(password, attempt.hash))) return { outcome: 'wrong-password' };
  return { outcome: 'correct', epoch: attempt.epoch };
}
