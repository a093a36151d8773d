import type { Db } from '@linnet/db/database';

import type { Account } from './account.ts';

/** A row to insert; the database gives it its id and its time. */
export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
}

const accountFields = {
  id: true,
  username: true,
  email: true,
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
  createdAt: true,
} as const;

/** @throws UniqueViolation of account_username_ci_key or account_email_ci_key. */
export async function insertAccount(db: Db, account: NewAccount): Promise<Account> {
  const row = await db.prisma.account.create({
    data: {
      ...account,
      usernameCi: account.username.toLowerCase(),
      emailCi: account.email.toLowerCase(),
    },
    select: accountFields,
  });
  return { ...row, id: Number(row.id) };
}

export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  const row = await db.prisma.account.findUnique({ where: { id }, select: accountFields });
  return row === null ? undefined : { ...row, id: Number(row.id) };
}

export async function findAccountByUsername(db: Db, username: string): Promise<Account | undefined> {
  const row = await db.prisma.account.findUnique({
    where: { usernameCi: username.toLowerCase() },
    select: accountFields,
  });
  return row === null ? undefined : { ...row, id: Number(row.id) };
}

/** An account with what its password is checked against. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string;
}

/** By its e-mail address or its username, whatever their case; usernames hold no `@`. */
export async function findCredentials(db: Db, login: string): Promise<Credentials | undefined> {
  const name = login.toLowerCase();
  const row = await db.prisma.account.findUnique({
    where: name.includes('@') ? { emailCi: name } : { usernameCi: name },
    select: { ...accountFields, passwordHash: true },
  });
  if (row === null) return undefined;
  const { passwordHash, ...account } = row;
  return { account: { ...account, id: Number(account.id) }, passwordHash };
}

/** Replaces a hash unless the password was changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  { account, passwordHash }: Credentials,
  newHash: string,
): Promise<void> {
  await db.prisma.account.updateMany({ where: { id: account.id, passwordHash }, data: { passwordHash: newHash } });
}

/** Which of the two another account has already; one statement. */
export async function findTaken(
  db: Db,
  email: string,
  username: string | undefined,
): Promise<{ readonly email: boolean; readonly username: boolean }> {
  const emailCi = email.toLowerCase();
  const usernameCi = username?.toLowerCase();
  const rows = await db.prisma.account.findMany({
    where: { OR: [{ emailCi }, ...(usernameCi === undefined ? [] : [{ usernameCi }])] },
    select: { emailCi: true, usernameCi: true },
  });
  return {
    email: rows.some((row) => row.emailCi === emailCi),
    username: rows.some((row) => row.usernameCi === usernameCi),
  };
}

export async function emailExists(db: Db, email: string): Promise<boolean> {
  const row = await db.prisma.account.findUnique({
    where: { emailCi: email.toLowerCase() },
    select: { id: true },
  });
  return row !== null;
}

export async function usernameExists(db: Db, username: string): Promise<boolean> {
  const row = await db.prisma.account.findUnique({
    where: { usernameCi: username.toLowerCase() },
    select: { id: true },
  });
  return row !== null;
}
