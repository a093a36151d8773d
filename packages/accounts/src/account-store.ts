import type { Db, Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement';

import type { Account } from './account.ts';
import { imitatesDisplayName } from './names/imitation-store.ts';

/** A row to insert. The database assigns its id and creation time. */
export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly language?: string | undefined;
  /** What the display name is compared by with those of verified accounts; empty to allow any. */
  readonly displayNameKeys?: readonly string[];
}

const accountFields = {
  id: true,
  username: true,
  email: true,
  emailVerifiedAt: true,
  firstName: true,
  lastName: true,
  displayName: true,
  description: true,
  country: true,
  language: true,
  verified: true,
  followersCount: true,
  followingCount: true,
  postsCount: true,
  avatar: true,
  createdAt: true,
  deletedAt: true,
} as const;

type InsertParams = readonly [
  username: string,
  email: string,
  passwordHash: string,
  firstName: string,
  lastName: string,
  displayName: string,
  language: string | null,
  displayNameKeys: readonly string[],
];

// A conflict must not raise an error, because that would abort the caller's transaction.
const insertStatement = statement<InsertParams, Account>(
  'account_insert',
  `INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
     language)
   SELECT $1::text, lower($1::text), $2::text, lower($2::text), $3, $4, $5, $6::text, COALESCE($7, 'en')
   WHERE NOT ${imitatesDisplayName('$6', '$8', 'NULL::bigint')}
   ON CONFLICT DO NOTHING
   RETURNING id, username, email, email_verified_at AS "emailVerifiedAt", first_name AS "firstName", last_name AS "lastName", display_name AS "displayName",
     description, country, language, verified, followers_count AS "followersCount",
     following_count AS "followingCount", posts_count AS "postsCount", avatar, created_at AS "createdAt",
     deleted_at AS "deletedAt"`,
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
  ]);
  return row;
}

/** Ignores deleted accounts. */
export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  const row = await db.prisma.account.findUnique({ where: { id, deletedAt: null }, select: accountFields });
  return row === null ? undefined : { ...row, id: Number(row.id) };
}

/** Includes deleted accounts: operators restore them by username. Ignores case. */
export async function findAccountByUsername(db: Db, username: string): Promise<Account | undefined> {
  const row = await db.prisma.account.findUnique({
    where: { usernameCi: username.toLowerCase() },
    select: accountFields,
  });
  return row === null ? undefined : { ...row, id: Number(row.id) };
}

/** An account and the hash to verify its password with. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string;
  readonly isSuspended: boolean;
}

/** Finds an account by e-mail address or username (which cannot contain `@`). Ignores case and deleted accounts. */
export async function findCredentials(db: Db, login: string): Promise<Credentials | undefined> {
  const name = login.toLowerCase();
  const row = await db.prisma.account.findUnique({
    where: { ...(name.includes('@') ? { emailCi: name } : { usernameCi: name }), deletedAt: null },
    select: { ...accountFields, passwordHash: true, suspendedAt: true },
  });
  if (row === null) return undefined;
  const { passwordHash, suspendedAt, ...account } = row;
  return { account: { ...account, id: Number(account.id) }, passwordHash, isSuspended: suspendedAt !== null };
}

/** Replaces a hash, unless the password has changed since `Credentials` was read. */
export async function replacePasswordHash(
  db: Db,
  { account, passwordHash }: Credentials,
  newHash: string,
): Promise<void> {
  await db.prisma.account.updateMany({ where: { id: account.id, passwordHash }, data: { passwordHash: newHash } });
}

/** SQL condition: another account has the name, gave it up less than 30 days ago, or is verified under a similar one. */
const usernameTaken = `(EXISTS (SELECT 1 FROM account WHERE username_ci = $1) OR EXISTS (
  SELECT 1 FROM old_username WHERE username_ci = $1 AND until > now()
) OR imitates_username($1, NULL))`;

const takenStatement = statement<readonly [usernameCi: string, emailCi: string], Taken>(
  'account_taken',
  `SELECT ${usernameTaken} AS username, EXISTS (SELECT 1 FROM account WHERE email_ci = $2) AS email`,
);

interface Taken {
  readonly email: boolean;
  readonly username: boolean;
}

/** Reports which of the two are taken, in one statement. */
export async function findTaken(db: Queryable, email: string, username: string): Promise<Taken> {
  return requireRow(await db.query(takenStatement, [username.toLowerCase(), email.toLowerCase()]), takenStatement);
}

export async function emailExists(db: Db, email: string): Promise<boolean> {
  const row = await db.prisma.account.findUnique({
    where: { emailCi: email.toLowerCase() },
    select: { id: true },
  });
  return row !== null;
}

const usernameTakenStatement = statement<readonly [usernameCi: string], { taken: boolean }>(
  'account_username_taken',
  `SELECT ${usernameTaken} AS taken`,
);

/** True also for a name that another account gave up less than 30 days ago. */
export async function isUsernameInUse(db: Queryable, username: string): Promise<boolean> {
  return requireRow(await db.query(usernameTakenStatement, [username.toLowerCase()]), usernameTakenStatement).taken;
}
