import { createAccounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';

import { revokeAllGrants } from './connected-applications-store.ts';

/**
 * Sets a password on behalf of an operator. Like a change by the owner, it revokes all sessions and grants (checklist
 * RT8). The username is case-insensitive. False if there is no such account.
 */
export async function resetPassword(db: Db, username: string, password: string): Promise<boolean> {
  return await createAccounts(db).setPassword({ username, password, inTransaction: revokeAllGrants });
}
