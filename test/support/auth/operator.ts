import { grantOperator } from '@linnet/accounts/operators/role-store';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import type { ApplicationRequest } from '@linnet/applications/applications';
import { allowAdmin } from '@linnet/applications/application/operator-changes-store';

import { totpCode } from '@linnet/auth/sign-in/factors/totp';
import { addAuthenticator } from './authenticator.ts';
import { createBrowser } from './browser.ts';
import type { Browser, Page } from './browser.ts';
import { registerPerson, signIn } from './person.ts';
import type { Person } from './person.ts';
import type { RunningAuth } from './running-auth.ts';

/** An account with an authenticator app, on whose enrolment the code of the step before was used. */
export interface PersonWithApp extends Person {
  readonly browser: Browser;
  /** The key of the app. */
  readonly secret: string;
}

export async function registerWithApp(auth: RunningAuth, username: string): Promise<PersonWithApp> {
  const person = await registerPerson(auth.db, username);
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const { secret } = await addAuthenticator(browser);
  return { ...person, browser, secret };
}

/** An operator who has confirmed their identity with the app. */
export async function registerOperator(auth: RunningAuth, username: string): Promise<PersonWithApp> {
  const operator = await registerWithApp(auth, username);
  if ((await grantOperator(auth.db, username)) !== 'granted') throw new Error(`${username} cannot be an operator`);
  await confirm(operator, await operator.browser.open('/admin'));
  return operator;
}

/** Sends the form that confirms the identity. */
export async function confirm({ browser, password, secret }: PersonWithApp, page: Page): Promise<Page> {
  const code = totpCode(secret, Date.now());
  return await browser.submit(page, page.formOf('confirm-identity'), { password, code });
}

/** An application of an operator that may use the admin API. */
export async function registerAdminProgram(
  auth: RunningAuth,
  owner: Pick<Person, 'username'>,
  settings: Partial<ApplicationRequest> = {},
): Promise<CreatedApplication> {
  const application = await auth.register({ ...settings, owner: owner.username, actAsOwner: true });
  await allowAdmin(auth.db, application.clientId, true);
  return application;
}
