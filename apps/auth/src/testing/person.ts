import { createAccounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';

import type { Browser, Page } from './browser.ts';

/** Somebody with an account and its password. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export async function registerPerson(db: Db, username: string): Promise<Person> {
  const email = `${username}@example.org`;
  const password = `password of ${username}`;
  const account = await createAccounts(db).register({ firstName: 'Ada', lastName: 'Byron', username, email, password });
  return { id: account.id, username: account.username, email, password };
}

/** Opens the sign-in, or takes the page that shows it, and signs in; gives the page that follows. */
export async function signIn(
  browser: Browser,
  person: Pick<Person, 'username' | 'password'>,
  page?: Page,
): Promise<Page> {
  const shown = page ?? (await browser.open('/login'));
  return await browser.submit(shown, shown.formWith('login'), { login: person.username, password: person.password });
}
