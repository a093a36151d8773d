import { createAccounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';

import { revokeConsents } from './connected-applications-store.ts';

/**
 * Gives an account another password for an operator, which ends what a change by its owner ends: sessions,
 * refresh tokens, and what applications of others were allowed (checklist RT8). False when nobody bears the
 * username, whatever its case.
 */
export async function resetPassword(db: Db, username: string, password: string): Promise<boolean> {
  return await createAccounts(db).setPassword({ username, password, inTransaction: revokeConsents });
}
