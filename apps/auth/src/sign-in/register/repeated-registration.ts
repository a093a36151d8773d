import type { Account, Registration } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';

/** Impatient double submissions arrive within this time. */
const repeatMs = 60_000;

/**
 * The account that the same form created a moment ago: submitting it twice acts once and signs in both times.
 * Returns undefined if the address or username belongs to another account.
 */
export async function findJustRegistered(
  accounts: Pick<Accounts, 'checkCredentials'>,
  { email, password, firstName, lastName, username }: Registration,
  now: number = Date.now(),
): Promise<Account | undefined> {
  const account = await accounts.checkCredentials(email, password);
  if (account === undefined || now - account.createdAt.getTime() > repeatMs) return undefined;
  const isSame = account.firstName === firstName && account.lastName === lastName;
  return isSame && (username === undefined || account.username === username) ? account : undefined;
}
