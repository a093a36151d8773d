import { createAccounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';

import type { Browser, Page } from './browser.ts';

/** An account with its password. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

const password = 'password of everybody';
/** Of `password`, made once in a process: a hash takes tens of milliseconds of CPU time. */
let passwordHash: Promise<string> | undefined;

export async function registerPerson(db: Db, username: string): Promise<Person> {
  const accounts = createAccounts(db);
  passwordHash ??= accounts.hashPassword(password);
  const email = `${username}@example.org`;
  const registration = { firstName: 'Ada', lastName: 'Byron', username, email, password };
  const account = await accounts.registerInTransaction(db, registration, await passwordHash);
  return { id: account.id, username: account.username, email, password };
}

/** Signs in on the sign-in page, which it opens unless one is given. Returns the next page. */
export async function signIn(
  browser: Browser,
  person: Pick<Person, 'username' | 'password'>,
  page?: Page,
): Promise<Page> {
  const shown = page ?? (await browser.open('/login'));
  return await browser.submit(shown, shown.formWith('login'), { login: person.username, password: person.password });
}
