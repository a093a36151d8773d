import { randomInt } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import { UniqueViolation } from '@linnet/db/database-error';

import { emailExists, findAccountByUsername, findTaken, insertAccount, usernameExists } from './account-store.ts';
import { AccountTaken } from './account.ts';
import type { Account, Registration, TakenField } from './account.ts';
import { hashPassword } from './password-hash.ts';
import { isReservedUsername } from './reserved-usernames.ts';
import { proposeUsername } from './username-proposal.ts';

/** The one place that creates accounts and answers whether their names are taken. */
export interface Accounts {
  /**
   * Creates an account; two statements.
   * @throws AccountTaken when the e-mail address or the given username is taken.
   */
  register(registration: Registration): Promise<Account>;
  findByUsername(username: string): Promise<Account | undefined>;
  /** Whatever its case. */
  isEmailTaken(email: string): Promise<boolean>;
  /** Whatever its case; reserved names are taken. */
  isUsernameTaken(username: string): Promise<boolean>;
}

export function createAccounts(db: Db): Accounts {
  return {
    register: (registration) => register(db, registration),
    findByUsername: (username) => findAccountByUsername(db, username),
    isEmailTaken: (email) => emailExists(db, email),
    isUsernameTaken: async (username) => isReservedUsername(username) || (await usernameExists(db, username)),
  };
}

/** Attempts at a generated name before giving up; each has a million suffixes to draw from. */
const maxProposals = 5;

async function register(db: Db, registration: Registration): Promise<Account> {
  const { email, firstName, lastName, password } = registration;
  const wanted = registration.username ?? proposeUsername(firstName, lastName, '');
  const taken = await findTaken(db, email, wanted);
  const isNameTaken = taken.username || isReservedUsername(wanted);
  rejectTaken(taken.email, isNameTaken && registration.username !== undefined);

  const passwordHash = await hashPassword(password);
  let username = isNameTaken ? withDigits(registration) : wanted;
  for (let proposal = 1; ; proposal += 1) {
    try {
      const displayName = `${firstName} ${lastName}`;
      return await insertAccount(db, { username, email, passwordHash, firstName, lastName, displayName });
    } catch (error) {
      const field = takenField(error);
      if (field === undefined) throw error;
      // Another request won the race for the name or the address.
      if (field === 'email' || registration.username !== undefined || proposal === maxProposals) {
        throw new AccountTaken([field], { cause: error });
      }
      username = withDigits(registration);
    }
  }
}

function withDigits({ firstName, lastName }: Registration): string {
  return proposeUsername(firstName, lastName, String(randomInt(1, 1_000_000)));
}

function rejectTaken(isEmailTaken: boolean, isUsernameTaken: boolean): void {
  const fields: TakenField[] = [];
  if (isEmailTaken) fields.push('email');
  if (isUsernameTaken) fields.push('username');
  if (fields.length > 0) throw new AccountTaken(fields);
}

function takenField(error: unknown): TakenField | undefined {
  if (!(error instanceof UniqueViolation)) return undefined;
  if (error.constraint === 'account_email_ci_key') return 'email';
  return error.constraint === 'account_username_ci_key' ? 'username' : undefined;
}
