import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { toSearchVector } from '@linnet/db/text/search-words';
import { lookup, requireRow, statement } from '@linnet/db/statement/statement';

import type { Account } from './account.ts';
import { isKept } from './deletion-period.ts';
import { imitatesDisplayName } from './names/imitation-store.ts';

/** A row to insert. The database assigns its id and creation time. */
export interface NewAccount {
  /** Of the request for the account, if there was one. */
  readonly id?: number;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly language?: string | undefined;
  /** What the display name is compared by with those of verified accounts; empty to allow any. */
  readonly displayNameKeys?: readonly string[];
  /** The kind of the block that matched the registration. */
  readonly mark?: RegistrationMark | null;
  /** The id of the person with whose invitation it registers. */
  readonly invitedBy?: number | null;
  /** The developer whose test person it is. */
  readonly testOwnerId?: number | null;
  /** A provider proved the address. */
  readonly isEmailProven?: boolean | undefined;
}

/** The members of an Account, of a row of the table `account`. */
const accountColumns = `id, username, email, email_verified_at AS "emailVerifiedAt", first_name AS "firstName",
     last_name AS "lastName", display_name AS "displayName", description, country, language, verified,
     followers_count AS "followersCount", following_count AS "followingCount", posts_count AS "postsCount", avatar,
     created_at AS "createdAt", deleted_at AS "deletedAt", operator_since AS "operatorSince"`;

type InsertParams = readonly [
  username: string,
  email: string,
  passwordHash: string,
  firstName: string,
  lastName: string,
  displayName: string,
  language: string | null,
  displayNameKeys: readonly string[],
  displayNameWords: string,
  firstNameWords: string,
  lastNameWords: string,
  id: number | null,
  mark: string | null,
  invitedBy: number | null,
  testOwnerId: number | null,
  isEmailProven: boolean,
];

// A conflict must not raise an error, because that would abort the caller's transaction. Searches find the account by its words.
const insertStatement = statement<InsertParams, Account>(
  'account_insert',
  `WITH added AS (
     INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
       language, mark, invited_by, test_owner_id, email_verified_at)
     SELECT COALESCE($12::bigint, next_account_id()), $1::text, lower($1::text), $2::text, lower($2::text), $3, $4, $5, $6::text, COALESCE($7, 'en'), $13, $14, $15::bigint, 
       CASE WHEN $15::bigint IS NOT NULL OR $16::boolean OR EXISTS (SELECT FROM upstream_identity WHERE account_id = $12::bigint) THEN now() END
     WHERE NOT ${imitatesDisplayName('$6', '$8', 'NULL::bigint')}
     ON CONFLICT DO NOTHING
     RETURNING *
   ), searchable AS (
     INSERT INTO account_search (account_id, username, display_name, first_name, last_name, popularity, hidden)
     SELECT id, username_ci, $9::tsvector, $10::tsvector, $11::tsvector, 0, hidden_at IS NOT NULL FROM added
   )
   SELECT ${accountColumns} FROM added`,
);

/**
 * Returns `undefined` if another account has the username or the e-mail address, or if one of the names looks like that
 * of a verified account.
 */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<Account | undefined> {
  const { username, email, passwordHash, firstName, lastName, displayName, language = null } = account;
  const { displayNameKeys = [] } = account;
  const [row] = await db.query(insertStatement, [
    username,
    email,
    passwordHash,
    firstName,
    lastName,
    displayName,
    language,
    displayNameKeys,
    toSearchVector(displayName, false),
    toSearchVector(firstName, false),
    toSearchVector(lastName, false),
    account.id ?? null,
    account.mark ?? null,
    account.invitedBy ?? null,
    account.testOwnerId ?? null,
    account.isEmailProven ?? false,
  ]);
  return row;
}

const byIdStatement = lookup<readonly [id: number], Account>(
  'account_by_id',
  ['bigint'],
  `SELECT ${accountColumns} FROM account WHERE id = $1 AND deleted_at IS NULL`,
);

/** Ignores deleted accounts. */
export async function findAccountById(db: Queryable, id: number): Promise<Account | undefined> {
  const [account] = await db.query(byIdStatement, [id]);
  return account;
}

const keptStatement = statement<readonly [id: number], Account>(
  'account_kept',
  `SELECT ${accountColumns} FROM account a WHERE id = $1 AND ${isKept('a')}`,
);

/** Includes a deleted account that can still be restored. */
export async function findKeptAccount(db: Queryable, id: number): Promise<Account | undefined> {
  const [account] = await db.query(keptStatement, [id]);
  return account;
}

const byUsernameStatement = statement<readonly [usernameCi: string], Account>(
  'account_by_username',
  `SELECT ${accountColumns} FROM account WHERE username_ci = $1`,
);

/** Includes deleted accounts: operators restore them by username. Ignores case. */
export async function findAccountByUsername(db: Queryable, username: string): Promise<Account | undefined> {
  const [account] = await db.query(byUsernameStatement, [username.toLowerCase()]);
  return account;
}

/** An account and the hash to verify its password with. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string;
  /** It is suspended or deleted. */
  readonly isHidden: boolean;
}

interface CredentialsRow extends Account {
  readonly passwordHash: string;
  readonly isHidden: boolean;
}

const credentialsBy = (column: 'email_ci' | 'username_ci') =>
  statement<readonly [name: string], CredentialsRow>(
    `account_credentials_${column}`,
    `SELECT ${accountColumns}, password_hash AS "passwordHash", hidden_at IS NOT NULL AS "isHidden"
       FROM account a WHERE ${column} = $1 AND ${isKept('a')}`,
  );
const credentialsByEmail = credentialsBy('email_ci');
const credentialsByUsername = credentialsBy('username_ci');

/**
 * Finds an account by e-mail address or username (which cannot contain `@`). Ignores case. Includes a deleted account that
 * can still be restored.
 */
export async function findCredentials(db: Queryable, login: string): Promise<Credentials | undefined> {
  const name = login.toLowerCase();
  const [row] = await db.query(name.includes('@') ? credentialsByEmail : credentialsByUsername, [name]);
  if (row === undefined) return undefined;
  const { passwordHash, isHidden, ...account } = row;
  return { account, passwordHash, isHidden };
}

const rehashStatement = statement<readonly [id: number, former: string, hash: string], never>(
  'account_rehash',
  'UPDATE account SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
);

/** Replaces a hash, unless the password has changed since `Credentials` was read. */
export async function replacePasswordHash(
  db: Queryable,
  { account, passwordHash }: Credentials,
  newHash: string,
): Promise<void> {
  await db.query(rehashStatement, [account.id, passwordHash, newHash]);
}

/** SQL condition: another account has the name, gave it up less than 30 days ago, waits for it, or is verified under a similar one. */
const usernameTaken = `(EXISTS (SELECT 1 FROM account WHERE username_ci = $1) OR EXISTS (
  SELECT 1 FROM old_username WHERE username_ci = $1 AND until > now()
) OR EXISTS (SELECT 1 FROM registration_request WHERE username_ci = $1) OR imitates_username($1, NULL))`;

const takenStatement = statement<readonly [usernameCi: string, emailCi: string], Taken>(
  'account_taken',
  `SELECT ${usernameTaken} AS username, EXISTS (SELECT 1 FROM account WHERE email_ci = $2)
     OR EXISTS (SELECT 1 FROM registration_request WHERE email_ci = $2) AS email`,
);

interface Taken {
  readonly email: boolean;
  readonly username: boolean;
}

/** Reports which of the two are taken, in one statement. */
export async function findTaken(db: Queryable, email: string, username: string): Promise<Taken> {
  return requireRow(await db.query(takenStatement, [username.toLowerCase(), email.toLowerCase()]), takenStatement);
}

const emailStatement = statement<readonly [emailCi: string], { readonly found: number }>(
  'account_email_exists',
  `SELECT 1 AS found FROM account WHERE email_ci = $1
   UNION ALL SELECT 1 FROM registration_request WHERE email_ci = $1`,
);

/** Also for an address whose registration waits for an operator. */
export async function emailExists(db: Queryable, email: string): Promise<boolean> {
  return (await db.query(emailStatement, [email.toLowerCase()])).length > 0;
}

const usernameTakenStatement = statement<readonly [usernameCi: string], { taken: boolean }>(
  'account_username_taken',
  `SELECT ${usernameTaken} AS taken`,
);

/** True also for a name that another account gave up less than 30 days ago. */
export async function isUsernameInUse(db: Queryable, username: string): Promise<boolean> {
  return requireRow(await db.query(usernameTakenStatement, [username.toLowerCase()]), usernameTakenStatement).taken;
}
