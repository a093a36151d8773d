import type { Queryable } from '@linnet/db/database';

import { countAttempt } from './deletion-store.ts';
import { verifyPassword } from './password-hash.ts';

export interface DeletionRequest {
  readonly accountId: number;
  readonly password: string;
  /** False: attempts are not counted out (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

export type DeletionCheck =
  | {
      readonly outcome: 'right';
      /** The epoch of the account that the password was checked at. */
      readonly epoch: number;
    }
  | { readonly outcome: 'wrong-password' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'too-many-attempts'; readonly retryAfterSeconds: number };

/** Wrong passwords of one account in a window; the right one is let through as long as they last. */
const maxAttempts = 10;

/** Checks who wants to delete an account: one statement. The attempt is counted before the password is looked at. */
export async function checkDeletion(
  db: Queryable,
  { accountId, password, isLimited }: DeletionRequest,
): Promise<DeletionCheck> {
  const attempt = await countAttempt(db, accountId);
  if (attempt === undefined) return { outcome: 'gone' };
  if (isLimited && attempt.attempts > maxAttempts) {
    return { outcome: 'too-many-attempts', retryAfterSeconds: attempt.retryAfterSeconds };
  }
  if (!(await verifyPassword(password, attempt.hash))) return { outcome: 'wrong-password' };
  return { outcome: 'right', epoch: attempt.epoch };
}
