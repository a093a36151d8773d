/** Creates accounts, and requests for accounts, with unique names. */
import { randomInt } from 'node:crypto';

import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { DatabaseBusy } from '@linnet/db/connection/database-error';

import { findTaken, insertAccount } from '../account-store.ts';
import type { NewAccount } from '../account-store.ts';
import { AccountTaken } from '../account.ts';
import type { Account, Registration, TakenField } from '../account.ts';
import { isImitation } from '../names/imitation-store.ts';
import { NameRefused, checkFullName } from '../names/name-rules.ts';
import type { NameRules } from '../names/name-rules.ts';
import { toNameKeys } from '../names/skeleton.ts';
import { isReservedUsername } from '../reserved-usernames.ts';
import { proposeUsername } from '../username-proposal.ts';

/** Returns `undefined` if the username or the address is taken, or if a name looks like that of a verified account. */
export type Insert = (db: Queryable, account: NewAccount) => Promise<Account | undefined>;

interface Naming {
  readonly db: Queryable;
  readonly rules: NameRules;
  /** By default `insertAccount`. */
  readonly insert?: Insert | undefined;
  readonly mark?: RegistrationMark | undefined;
  /** The id of the person with whose invitation it registers. */
  readonly invitedBy?: number | undefined;
}

/**
 * Creates an account, or a request for one, with what `insert` stores.
 * @throws AccountTaken
 * @throws NameRefused
 */
export async function register(
  { db, rules, insert = insertAccount, mark, invitedBy }: Naming,
  registration: Registration,
  makeHash: () => Promise<string>,
): Promise<Account> {
  const { email, firstName, lastName, username, language, isEmailProven } = registration;
  const displayName = `${firstName} ${lastName}`;
  checkFullName(firstName, lastName, rules);
  const wanted = username ?? proposeUsername(firstName, lastName, '');
  const taken = await findTaken(db, email, wanted);
  const isNameTaken = taken.username || isReservedUsername(wanted, rules);
  rejectTaken(taken.email, isNameTaken && username !== undefined);

  const passwordHash = await makeHash();
  const displayNameKeys = rules.allowsAnyName === true ? [] : toNameKeys(displayName);
  const origin = { mark: mark ?? null, invitedBy: invitedBy ?? null };
  const row = {
    email,
    passwordHash,
    firstName,
    lastName,
    displayName,
    displayNameKeys,
    language,
    isEmailProven,
    ...origin,
  };
  if (username !== undefined) return await insertNamed({ db, insert }, { ...row, username });
  const first = isNameTaken ? withDigits(registration, rules) : wanted;
  return await insertGenerated({ db, rules, insert }, { ...row, username: first });
}

interface Inserting {
  readonly db: Queryable;
  readonly insert: Insert;
}

/** @throws AccountTaken if another request took the name or the address first. */
async function insertNamed({ db, insert }: Inserting, account: NewAccount): Promise<Account> {
  const inserted = await insert(db, account);
  if (inserted !== undefined) return inserted;
  const taken = await findTaken(db, account.email, account.username);
  rejectTaken(taken.email, taken.username);
  await rejectImitation(db, account);
  throw new DatabaseBusy('The insert conflicted with a username or an e-mail address that is free again.');
}

/** Generated names to try; each has a random suffix out of a million. */
const maxProposals = 5;

/** Like `insertNamed`, but retries with another suffix if the generated name has been taken. */
async function insertGenerated(
  { db, rules, insert }: Inserting & Naming,
  account: NewAccount,
  attempt = 1,
): Promise<Account> {
  const inserted = await insert(db, account);
  if (inserted !== undefined) return inserted;
  const taken = await findTaken(db, account.email, account.username);
  rejectTaken(taken.email, false);
  await rejectImitation(db, account);
  rejectTaken(false, attempt === maxProposals);
  return await insertGenerated(
    { db, rules, insert },
    { ...account, username: withDigits(account, rules) },
    attempt + 1,
  );
}

/** @throws NameRefused */
async function rejectImitation(db: Queryable, { displayName, displayNameKeys = [] }: NewAccount): Promise<void> {
  if (displayNameKeys.length > 0 && (await isImitation(db, null, displayName))) throw new NameRefused('imitates');
}

function withDigits({ firstName, lastName }: Pick<Registration, 'firstName' | 'lastName'>, rules: NameRules): string {
  const suffix = String(randomInt(1, 1_000_000));
  const proposal = proposeUsername(firstName, lastName, suffix);
  // Without its other letters, a name in two scripts can be a reserved one.
  return isReservedUsername(proposal, rules) ? proposeUsername('', '', suffix) : proposal;
}

function rejectTaken(isEmailTaken: boolean, isUsernameTaken: boolean): void {
  const fields: TakenField[] = [];
  if (isEmailTaken) fields.push('email');
  if (isUsernameTaken) fields.push('username');
  if (fields.length > 0) throw new AccountTaken(fields);
}
