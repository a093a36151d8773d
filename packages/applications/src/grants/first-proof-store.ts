/**
 * The first proof of an account's e-mail address. Until then, anyone may have registered the address, so the proof ends
 * every access that the account gave before (docs/evidence/guarantees.md#remedies, pre-hijacking).
 */

import { createAccounts } from '@linnet/accounts/accounts';
import { deleteFactors, deleteFactorsByUsername } from '@linnet/accounts/identity-store';
import type { Db } from '@linnet/db/database';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { deleteAllApis } from '../apis/api-change-store.ts';
import { revokeAllGrants } from './connected-applications-store.ts';

const findStatement = statement<readonly [accountId: number], { readonly isUnproven: boolean }>(
  'first_proof_find',
  'SELECT email_verified_at IS NULL AS "isUnproven" FROM account WHERE id = $1',
);

/** Whether no address of the account was confirmed yet. */
export async function isAddressUnproven(db: Queryable, accountId: number): Promise<boolean> {
  const [account] = await db.query(findStatement, [accountId]);
  return account?.isUnproven === true;
}

const lockStatement = statement<readonly [accountId: number], { readonly isUnproven: boolean }>(
  'first_proof_lock',
  'SELECT email_verified_at IS NULL AS "isUnproven" FROM account WHERE id = $1 FOR NO KEY UPDATE',
);

const stopApplicationsStatement = statement<readonly [accountId: number], never>(
  'first_proof_applications',
  // The person who made an application may have its secrets and private keys, and tokens of the people who use it.
  `WITH stopped AS (
     UPDATE application SET paused_at = COALESCE(paused_at, now()), epoch = epoch + 1, jwks = NULL, jwks_uri = NULL
      WHERE owner_id = $1 RETURNING client_id
   ), secrets AS (
     DELETE FROM application_secret WHERE client_id IN (SELECT client_id FROM stopped)
   ), webhooks AS (
     DELETE FROM webhook_endpoint WHERE client_id IN (SELECT client_id FROM stopped)
   )
   UPDATE "grant" SET revoked_at = now()
    WHERE client_id IN (SELECT client_id FROM stopped) AND account_id <> $1 AND revoked_at IS NULL`,
);

/**
 * If no address of the account was confirmed yet, ends its sessions, factors and grants, and pauses its
 * applications without secrets, keys and webhooks. Deletes its registered APIs. A trigger ends pending changes and links. Returns whether it did. Call it in the transaction that confirms the
 * address, before the confirmation.
 */
export async function endUnprovenAccess(tx: Queryable, accountId: number): Promise<boolean> {
  const [account] = await tx.query(lockStatement, [accountId]);
  if (account?.isUnproven !== true) return false;
  await deleteFactors(tx, accountId);
  await revokeAllGrants(tx, accountId);
  await tx.query(stopApplicationsStatement, [accountId]);
  await deleteAllApis(tx, accountId);
  return true;
}

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

/**
 * Sets a password on behalf of an operator. Like a change by the owner, it revokes all sessions and grants (checklist
 * RT8). The username is case-insensitive. False if there is no such account.
 */
export async function resetPassword(db: Db, username: string, password: string): Promise<boolean> {
  return await createAccounts(db).setPassword({ username, password, inTransaction: revokeAllGrants });
}
