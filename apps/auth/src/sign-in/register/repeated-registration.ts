import type { Account, Registration } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';

/** A form is sent twice by an impatient hand, not by one that comes back later. */
const repeatMs = 60_000;

/**
 * The account that this very form made a moment ago, when it is sent once more: nothing is made twice,
 * and the person goes on as if it had been sent once. Undefined when the names belong to somebody else.
 */
export async function findRepeated(
  accounts: Pick<Accounts, 'checkCredentials'>,
  { email, password, firstName, lastName, username }: Registration,
  now: number = Date.now(),
): Promise<Account | undefined> {
  const account = await accounts.checkCredentials(email, password);
  if (account === undefined || now - account.createdAt.getTime() > repeatMs) return undefined;
  const isSame = account.firstName === firstName && account.lastName === lastName;
  return isSame && (username === undefined || account.username === username) ? account : undefined;
}
