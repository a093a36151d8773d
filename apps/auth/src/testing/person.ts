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

export async function registerPerson(db: Db, username: string): Promise<Person> {
  const email = `${username}@example.org`;
  const password = `password of ${username}`;
  const account = await createAccounts(db).register({ firstName: 'Ada', lastName: 'Byron', username, email, password });
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
