import { deleteFactorsByUsername } from '@linnet/accounts/factor-reset-store';
import type { Transactional } from '@linnet/db/database';

import { revokeAllGrants } from './connected-applications-store.ts';

/**
 * Deletes every passkey and the authenticator app of an account, for operators: the password alone then signs in. Ends
 * every session and revokes every grant. Returns false if no account has the username. Ignores case.
 */
export async function resetFactors(db: Transactional, username: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const accountId = await deleteFactorsByUsername(tx, username);
    if (accountId === undefined) return false;
    await revokeAllGrants(tx, accountId);
    return true;
  });
}
