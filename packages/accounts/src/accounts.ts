import { randomBytes, randomInt } from 'node:crypto';

import type { Db, Queryable } from '@linnet/db/database';
import { DatabaseBusy } from '@linnet/db/database-error';

import {
  emailExists,
  findAccountById,
  findAccountByUsername,
  findCredentials,
  findTaken,
  insertAccount,
  isUsernameInUse,
  replacePasswordHash,
} from './account-store.ts';
import type { NewAccount } from './account-store.ts';
import { AccountTaken } from './account.ts';
import type { Account, Registration, TakenField } from './account.ts';
import { eraseAccount, findOverdue, markDeleted, undeleteAccount } from './deletion-store.ts';
import type { Deletion } from './deletion-store.ts';
import { checkDeletion } from './deletion.ts';
import type { DeletionCheck, DeletionRequest } from './deletion.ts';
import { confirmEmail, replacePasswordByLink } from './email-store.ts';
import type { ConfirmedEmail, PasswordReplacement } from './email-store.ts';
import { hasAccounts, setVerified } from './operator-store.ts';
import { bumpEpoch, changePassword, setPassword } from './password-change.ts';
import type { Alongside, PasswordChange, PasswordReset } from './password-change.ts';
import { hashPassword, inTurn, isHashingFull, isOutdated } from './password-hash.ts';
import { updateProfile } from './profile-store.ts';
import type { ProfileChange } from './profile-store.ts';
import { renameAccount } from './renaming.ts';
import type { Renaming, RenamingOutcome } from './renaming.ts';
import { isReservedUsername } from './reserved-usernames.ts';
import { suspendAccount, unsuspendAccount } from './suspension-store.ts';
import { proposeUsername } from './username-proposal.ts';

/**
 * The one place that creates accounts and answers whether their names are taken. Whatever is given a password
 * throws HashQueueFull when too many are to be hashed; nothing was done then.
 */
export interface Accounts {
  /**
   * Creates an account; two statements.
   * @throws AccountTaken when the e-mail address or the given username is taken.
   */
  register(registration: Registration): Promise<Account>;
  /** As `register` within a transaction, which a hash would hold up: `hashPassword` made it before. */
  registerWithin(tx: Queryable, registration: Registration, passwordHash: string): Promise<Account>;
  /** Takes tens of milliseconds. */
  hashPassword(password: string): Promise<string>;
  /**
   * The account that `login`, an e-mail address or a username whatever its case, and `password` belong
   * to, unless it is suspended. An unknown `login` takes as long as a wrong password.
   */
  checkCredentials(login: string, password: string): Promise<Account | undefined>;
  /**
   * Changes a password, which ends every session of the account; `alongside` is part of it. False when
   * `current` is not the present password. Whether the new one is good is for the caller to judge.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  /** Ends every session of the account and every token that acts for it; `alongside` is part of it. */
  bumpEpoch(accountId: number, alongside?: Alongside): Promise<void>;
  /** One statement. `undefined`: the account is gone. */
  rename(renaming: Renaming, within?: Queryable): Promise<RenamingOutcome | undefined>;
  /** One statement; false: the account is gone. */
  updateProfile(change: ProfileChange, within?: Queryable): Promise<boolean>;
  /** Checks the password of who wants to delete an account; wrong ones are counted. One statement. */
  checkDeletion(request: DeletionRequest): Promise<DeletionCheck>;
  /**
   * Deletes an account, which ends its sessions; it can be restored for 14 days. One statement. False when
   * its password was changed, or it was deleted, after the check.
   */
  delete(deletion: Deletion, within?: Queryable): Promise<boolean>;
  /** Nobody signs in to it any more, and its sessions and tokens end. False when nobody bears the username. */
  suspend(username: string): Promise<boolean>;
  /**
   * Brings a suspended account back, or a deleted one; sessions and tokens that ended stay so. False:
   * there is none of this name that was, or its 14 days are over.
   */
  restore(username: string): Promise<boolean>;
  /** Operators say who is who (decisions D7). False when nobody bears the username. */
  setVerified(username: string, isVerified: boolean): Promise<boolean>;
  /**
   * Gives an account another password, which ends its sessions; `alongside` is part of it. False when nobody
   * bears the username.
   */
  setPassword(reset: PasswordReset): Promise<boolean>;
  /** Whether there is any account, deleted ones included. */
  hasAny(): Promise<boolean>;
  /** The same by a link that was sent to the account's address, which confirms it, too. False when the account is gone. */
  replacePassword(replacement: PasswordReplacement, within: Queryable): Promise<boolean>;
  /**
   * The address is the account's from now on, and confirmed. False when the account is gone.
   * @throws UniqueViolation when another account has the address.
   */
  confirmEmail(confirmed: ConfirmedEmail, within: Queryable): Promise<boolean>;
  /** Some deleted accounts whose 14 days are over. */
  findOverdue(): Promise<readonly number[]>;
  /** Erases what is left of such an account; its name and its e-mail address are free again. */
  erase(accountId: number): Promise<void>;
  /** Deleted accounts are not found. */
  findById(id: number): Promise<Account | undefined>;
  /** Whatever its case; deleted accounts too. */
  findByUsername(username: string): Promise<Account | undefined>;
  /** Whatever its case. */
  isEmailTaken(email: string): Promise<boolean>;
  /** Whether a password that came now would be refused with HashQueueFull; costs nothing. */
  isOverloaded(): boolean;
  /** Whatever its case; reserved names are taken, and names that were given up less than 30 days ago. */
  isUsernameTaken(username: string): Promise<boolean>;
}

export function createAccounts(db: Db): Accounts {
  return {
    register: (registration) => register(db, registration, () => hashPassword(registration.password)),
    registerWithin: (tx, registration, passwordHash) => register(tx, registration, () => Promise.resolve(passwordHash)),
    hashPassword,
    checkCredentials: (login, password) => checkCredentials(db, login, password),
    changePassword: (change) => changePassword(db, change),
    bumpEpoch: (accountId, alongside) => bumpEpoch(db, accountId, alongside),
    rename: (renaming, within = db) => renameAccount(within, renaming),
    updateProfile: (change, within = db) => updateProfile(within, change),
    checkDeletion: (request) => checkDeletion(db, request),
    delete: (deletion, within = db) => markDeleted(within, deletion),
    suspend: (username) => suspendAccount(db, username),
    restore: async (username) => {
      const wasDeleted = await undeleteAccount(db, username);
      return (await unsuspendAccount(db, username)) || wasDeleted;
    },
    setVerified: (username, isVerified) => setVerified(db, username, isVerified),
    setPassword: (reset) => setPassword(db, reset),
    hasAny: () => hasAccounts(db),
    replacePassword: (replacement, within) => replacePasswordByLink(within, replacement),
    confirmEmail: (confirmed, within) => confirmEmail(within, confirmed),
    findOverdue: () => findOverdue(db),
    erase: (accountId) => eraseAccount(db, accountId, `erased_${randomBytes(10).toString('hex')}`),
    findById: (id) => findAccountById(db, id),
    findByUsername: (username) => findAccountByUsername(db, username),
    isOverloaded: isHashingFull,
    isEmailTaken: (email) => emailExists(db, email),
    isUsernameTaken: async (username) => isReservedUsername(username) || (await isUsernameInUse(db, username)),
  };
}

async function checkCredentials(db: Db, login: string, password: string): Promise<Account | undefined> {
  // A flood waits for its turn before it asks the database, which others need.
  return await inTurn(async ({ hash, verify }) => {
    const found = await findCredentials(db, login.trim());
    const isRight = await verify(password, found?.passwordHash);
    if (found === undefined || !isRight) return undefined;
    if (isOutdated(found.passwordHash)) await replacePasswordHash(db, found, await hash(password));
    return found.isSuspended ? undefined : found.account;
  });
}

async function register(db: Queryable, registration: Registration, makeHash: () => Promise<string>): Promise<Account> {
  const { email, firstName, lastName, username, language } = registration;
  const wanted = username ?? proposeUsername(firstName, lastName, '');
  const taken = await findTaken(db, email, wanted);
  const isNameTaken = taken.username || isReservedUsername(wanted);
  rejectTaken(taken.email, isNameTaken && username !== undefined);

  const passwordHash = await makeHash();
  const row = { email, passwordHash, firstName, lastName, displayName: `${firstName} ${lastName}`, language };
  if (username !== undefined) return await insertNamed(db, { ...row, username });
  return await insertGenerated(db, { ...row, username: isNameTaken ? withDigits(registration) : wanted });
}

/** @throws AccountTaken when another request won the race for the name or the address. */
async function insertNamed(db: Queryable, account: NewAccount): Promise<Account> {
  const inserted = await insertAccount(db, account);
  if (inserted !== undefined) return inserted;
  const taken = await findTaken(db, account.email, account.username);
  rejectTaken(taken.email, taken.username);
  throw new DatabaseBusy('a name or an address was taken, and is free again');
}

/** Attempts at a generated name before giving up; each has a million suffixes to draw from. */
const maxProposals = 5;

/** As `insertNamed`, but a name that is taken meanwhile is made different. */
async function insertGenerated(db: Queryable, account: NewAccount, attempt = 1): Promise<Account> {
  const inserted = await insertAccount(db, account);
  if (inserted !== undefined) return inserted;
  const taken = await findTaken(db, account.email, account.username);
  rejectTaken(taken.email, attempt === maxProposals);
  return await insertGenerated(db, { ...account, username: withDigits(account) }, attempt + 1);
}

function withDigits({ firstName, lastName }: Pick<Registration, 'firstName' | 'lastName'>): string {
  return proposeUsername(firstName, lastName, String(randomInt(1, 1_000_000)));
}

function rejectTaken(isEmailTaken: boolean, isUsernameTaken: boolean): void {
  const fields: TakenField[] = [];
  if (isEmailTaken) fields.push('email');
  if (isUsernameTaken) fields.push('username');
  if (fields.length > 0) throw new AccountTaken(fields);
}
