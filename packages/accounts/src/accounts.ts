import { randomBytes } from 'node:crypto';

import { toEmailAddress } from '@linnet/contract/email-address';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import {
  emailExists,
  findAccountById,
  findAccountByUsername,
  findCredentials,
  findKeptAccount,
  isUsernameInUse,
  replacePasswordHash,
} from './account-store.ts';
import type { Account, Registration } from './account.ts';
import {
  eraseAccount,
  findErasable,
  restoreDeletedAccount,
  softDeleteAccount,
  undoDeletion,
} from './deletion-store.ts';
import type { Deletion } from './deletion-store.ts';
import { checkDeletion } from './deletion.ts';
import type { DeletionCheck, DeletionRequest } from './deletion.ts';
import { confirmEmail, replacePasswordByLink } from './email-store.ts';
import type { ConfirmedEmail, PasswordReplacement } from './email-store.ts';
import { findOtherWaysIn } from './identity-store.ts';
import { hasAccounts, unverifyAccount, verifyAccount } from './operator-store.ts';
import { defaultNameRules } from './names/name-rules.ts';
import type { NameRules } from './names/name-rules.ts';
import {
  endSessions,
  changePassword,
  setPassword,
  hashPassword,
  isHashingOverloaded,
  isOutdated,
  runHashing,
} from './password/password-change.ts';
import type { TransactionStep, PasswordChange, PasswordReset } from './password/password-change.ts';
import { updateProfile } from './profile-store.ts';
import type { ProfileChange } from './profile-store.ts';
import { renameAccount } from './username-store.ts';
import type { RenameRequest, RenameResult } from './username-store.ts';
import { checkWords } from './registrations/block-store.ts';
import { register } from './registrations/register.ts';
import { isReservedUsername } from './reserved-usernames.ts';
import { suspendAccount, unsuspendAccount } from './suspension-store.ts';

/** Somebody who knows the password of the account. */
interface CheckedSignIn {
  readonly account: Account;
  /** It is suspended, or deleted and can be restored. */
  readonly isHidden: boolean;
}

/**
 * The rules of accounts, shared by both servers and the `linnet` command. Every method that takes a password
 * throws HashQueueFull, before it changes anything, if too many passwords are waiting to be hashed.
 * Usernames and e-mail addresses are compared without regard to case.
 */
export interface Accounts {
  /**
   * Creates an account in two statements.
   * @throws AccountTaken if the e-mail address or the given username is taken.
   * @throws NameRefused if the first and last name claim to be the service, or imitate a verified account.
   */
  register(registration: Registration): Promise<Account>;
  /** Like `register`, in a transaction. Takes the result of `hashPassword`, so that hashing does not keep `tx` open. */
  registerInTransaction(tx: Queryable, registration: Registration, passwordHash: string): Promise<Account>;
  /** Returns an Argon2id hash (PHC string). Takes tens of milliseconds. */
  hashPassword(password: string): Promise<string>;
  /**
   * Returns the account with this e-mail address or username and password, unless it is suspended or deleted.
   * An unknown `login` takes as long as a wrong password.
   */
  checkCredentials(login: string, password: string): Promise<Account | undefined>;
  /** False for an account that signs in with a provider, a passkey or a link only. */
  hasPassword(accountId: number): Promise<boolean>;
  /** Like `checkCredentials`, also for a suspended account, and for a deleted one that its owner can restore. */
  checkSignIn(login: string, password: string): Promise<CheckedSignIn | undefined>;
  /**
   * Changes a password, ends every session of the account and runs `inTransaction`, all in one transaction.
   * Returns false if `current` is wrong. The caller validates the new password.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  /** Ends every session of the account and revokes every token that acts for it; runs `inTransaction` in the same transaction. */
  endSessions(accountId: number, inTransaction?: TransactionStep, within?: Transactional): Promise<void>;
  /** Changes a username. Returns `undefined` if the account does not exist. @throws NameRefused for a word that a block has. */
  rename(request: RenameRequest, within?: Queryable): Promise<RenameResult | undefined>;
  /** Returns false if the account does not exist or does not own the media. @throws NameRefused */
  updateProfile(change: ProfileChange, within?: Queryable): Promise<boolean>;
  /** Checks the password that confirms the deletion of an account, and counts the attempt. One statement. */
  checkDeletion(request: DeletionRequest): Promise<DeletionCheck>;
  /**
   * Soft-deletes an account in one statement and ends its sessions; `undoDeletion` and `restore` undo it for 14 days.
   * Returns false if the password was changed, or the account deleted, after the check.
   */
  delete(deletion: Deletion, within?: Queryable): Promise<boolean>;
  /**
   * Restores a soft-deleted account for its owner, who signed in when it had this epoch; its sessions and tokens stay
   * revoked. Returns false if it is suspended, is not deleted, has another epoch, or was deleted more than 14 days ago.
   */
  undoDeletion(deletion: Deletion): Promise<boolean>;
  /**
   * Hides the account, blocks sign-in and ends every session and token of the account. The owner of a deleted account cannot
   * restore it then. `reason`: what the person is shown.
   * Returns false if no account has the username.
   */
  suspend(username: string, reason?: string): Promise<boolean>;
  /**
   * Restores a suspended or soft-deleted account; its sessions and tokens stay revoked. Returns false if no
   * such account has the username, or if it was deleted more than 14 days ago.
   */
  restore(username: string): Promise<boolean>;
  /** Sets the "verified" mark, which only operators grant (decisions D7). Returns false if no account has the username. */
  setVerified(username: string, isVerified: boolean): Promise<boolean>;
  /**
   * Sets a password without the current one, for operators; ends every session of the account and runs `inTransaction`
   * in the same transaction. Returns false if no account has the username.
   */
  setPassword(reset: PasswordReset): Promise<boolean>;
  /** True if the table holds any account, deleted ones included. */
  hasAny(): Promise<boolean>;
  /**
   * Sets a password by a link that was mailed to the account, which also confirms the address. Ends every session.
   * Returns false if the account does not exist.
   */
  replacePassword(replacement: PasswordReplacement, within: Queryable): Promise<boolean>;
  /**
   * Stores a confirmed e-mail address. Returns false if the account does not exist.
   * @throws UniqueViolation if another account has the address.
   */
  confirmEmail(confirmed: ConfirmedEmail, within: Queryable): Promise<boolean>;
  /** Ids of up to 10 accounts that were deleted more than 14 days ago, oldest first. */
  findErasable(): Promise<readonly number[]>;
  /** Erases the account's row except for its id, which frees its username and e-mail address. */
  erase(accountId: number): Promise<void>;
  /** Ignores deleted accounts. */
  findById(id: number): Promise<Account | undefined>;
  /** Includes deleted accounts that can still be restored. */
  findKept(id: number): Promise<Account | undefined>;
  /** Includes deleted accounts. */
  findByUsername(username: string): Promise<Account | undefined>;
  isEmailTaken(email: string): Promise<boolean>;
  /** True if a password submitted now would be rejected with HashQueueFull. Costs nothing. */
  isOverloaded(): boolean;
  /** True also for reserved names, names given up less than 30 days ago, and names that look like a verified one. */
  isUsernameTaken(username: string): Promise<boolean>;
  /** @throws NameRefused if a block has a word that the account would get with this username. */
  checkWords(accountId: number, username: string): Promise<void>;
}

/** `rules`: what names are compared with; by default those of a service with the default name. */
export function createAccounts(db: Transactional, rules: NameRules = defaultNameRules): Accounts {
  return {
    register: (registration) => register({ db, rules }, registration, () => hashPassword(registration.password)),
    registerInTransaction: (tx, registration, passwordHash) =>
      register({ db: tx, rules }, registration, () => Promise.resolve(passwordHash)),
    hashPassword,
    checkCredentials: async (login, password) => {
      const checked = await checkSignIn(db, login, password);
      return checked?.isHidden === false ? checked.account : undefined;
    },
    hasPassword: async (accountId) => (await findOtherWaysIn(db, accountId)).hasPassword,
    checkSignIn: (login, password) => checkSignIn(db, login, password),
    changePassword: (change) => changePassword(db, change),
    endSessions: (accountId, inTransaction, within = db) => endSessions(within, accountId, inTransaction),
    rename: (request, within = db) => renameAccount(within, request, rules),
    updateProfile: (change, within = db) => updateProfile(within, change, rules),
    checkDeletion: (request) => checkDeletion(db, request),
    delete: (deletion, within = db) => softDeleteAccount(within, deletion),
    undoDeletion: (deletion) => undoDeletion(db, deletion),
    suspend: (username, reason) => suspendAccount(db, username, reason),
    restore: async (username) => {
      const wasDeleted = await restoreDeletedAccount(db, username);
      return (await unsuspendAccount(db, username)) || wasDeleted;
    },
    setVerified: (username, isVerified) => (isVerified ? verifyAccount : unverifyAccount)(db, username),
    setPassword: (reset) => setPassword(db, reset),
    hasAny: () => hasAccounts(db),
    replacePassword: (replacement, within) => replacePasswordByLink(within, replacement),
    confirmEmail: (confirmed, within) => confirmEmail(within, confirmed),
    findErasable: () => findErasable(db),
    erase: (accountId) => eraseAccount(db, accountId, `erased_${randomBytes(10).toString('hex')}`),
    findById: (id) => findAccountById(db, id),
    findKept: (id) => findKeptAccount(db, id),
    findByUsername: (username) => findAccountByUsername(db, username),
    isOverloaded: isHashingOverloaded,
    isEmailTaken: (email) => emailExists(db, email),
    checkWords: (accountId, username) => checkWords(db, accountId, { username }),
    isUsernameTaken: async (username) => isReservedUsername(username, rules) || (await isUsernameInUse(db, username)),
  };
}

async function checkSignIn(db: Transactional, login: string, password: string): Promise<CheckedSignIn | undefined> {
  // The query waits in the queue too: a flood of sign-ins must not take the connections of other requests.
  return await runHashing(async ({ hash, verify }) => {
    const name = login.trim();
    const found = await findCredentials(db, toEmailAddress(name) ?? name);
    const isCorrect = await verify(password, found?.passwordHash);
    if (found === undefined || !isCorrect) return undefined;
    if (isOutdated(found.passwordHash)) await replacePasswordHash(db, found, await hash(password));
    return { account: found.account, isHidden: found.isHidden };
  });
}
