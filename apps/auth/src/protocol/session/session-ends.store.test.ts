// Every way in which a person or an operator ends sessions × the applications that are notified.
import { createAccounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { resetFactors, resetPassword } from '@linnet/applications/grants/first-proof-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { openLogout, registerSigningIn, signInTo } from '@linnet/test/auth/signing-out';
import type { ThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let apps: readonly ThirdParty[];
let silent: ThirdParty;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  apps = [await registerSigningIn(auth, []), await registerSigningIn(auth, [])];
  silent = await registerSigningIn(auth, []);
  for (const { clientId } of apps) {
    const backchannelLogoutUri = 'https://app.example.com/logout';
    await auth.db.prisma.application.update({ where: { clientId }, data: { backchannelLogoutUri } });
  }
});
afterAll(() => cleanup.disposeAsync());

/** A person who is signed in to every application in one browser, and to none in another. */
interface Case {
  readonly person: Person;
  readonly browser: Browser;
  readonly other: Browser;
  /** The claim `sid` of the ID token of each application that is to be notified. */
  readonly sids: readonly string[];
}

let count = 0;

async function prepare(): Promise<Case> {
  count += 1;
  const person = await registerPerson(auth.db, `leaving_${String(count)}`);
  const [browser, other] = [createBrowser(auth), createBrowser(auth)];
  await signIn(other, person);
  const sids: string[] = [];
  for (const app of apps) sids.push(String(decodeJwt((await signInTo(app, browser, person)).idToken)['sid']));
  await signInTo(silent, browser, person);
  return { person, browser, other, sids: sids.toSorted() };
}

async function findQueued({ person }: Case): Promise<readonly string[]> {
  const rows = await auth.db.prisma.backchannelLogout.findMany({ where: { accountId: person.id } });
  expect(rows.every(({ clientId }) => clientId !== silent.clientId)).toBe(true);
  return rows.map(({ sid }) => sid).toSorted();
}

async function submit(browser: Browser, path: string, testId: string, values = {}): Promise<void> {
  const page = await browser.open(path);
  expect((await browser.submit(page, page.formOf(testId), values)).status).toBe(200);
}

const accounts = () => createAccounts(auth.db);
const newPassword = 'a password that is new';

const ends: Readonly<Record<string, (one: Case) => Promise<unknown>>> = {
  'signing out': async ({ browser }) => await submit(browser, '/logout', 'sign-out'),
  'signing out at the request of an application': async ({ browser }) => {
    const page = await openLogout(browser, { client_id: apps[0]?.clientId ?? '' });
    await browser.submit(page, page.formOf('sign-out'), { choice: 'sign-out' });
  },
  'signing out everywhere': async ({ other }) => await submit(other, '/account/sessions', 'end-all-sessions'),
  'ending the session from another browser': async ({ other }) =>
    await submit(other, '/account/sessions', 'end-session'),
  'changing the password': async ({ other, person }) => {
    const values = { current_password: person.password, new_password: newPassword };
    await submit(other, '/account/password', 'change-password', values);
  },
  'changing the password in the same browser': async ({ browser, person }) => {
    const values = { current_password: person.password, new_password: newPassword };
    await submit(browser, '/account/password', 'change-password', values);
  },
  'signing in as somebody else': async ({ browser }) => {
    const somebody = await registerPerson(auth.db, `arriving_${String(count)}`);
    await signIn(browser, somebody, await silent.send(browser, { prompt: 'login', scope: 'openid users' }));
  },
  'deleting the account': async ({ browser, person }) => {
    const values = { confirm: person.username, password: person.password };
    await submit(browser, '/account/delete', 'delete-account', values);
  },
  'linnet user set-password': async ({ person }) => await resetPassword(auth.db, person.username, newPassword),
  'linnet user reset-factors': async ({ person }) => await resetFactors(auth.db, person.username),
  'linnet user suspend': async ({ person }) => await accounts().suspend(person.username),
  'ending the sessions by the account’s epoch': async ({ person }) =>
    await accounts().endSessions(person.id, (tx) => revokeAllGrants(tx, person.id)),
};

describe.each(Object.keys(ends))('%s', (name) => {
  test('D112 notifies every application that has a sign-in in the session, once', async () => {
    const one = await prepare();
    await ends[name]?.(one);
    expect(await findQueued(one)).toEqual(one.sids);
    // Repeating it ends nothing more.
    await accounts().suspend(one.person.username);
    expect(await findQueued(one)).toEqual(one.sids);
  });
});

const continues: Readonly<Record<string, (one: Case) => Promise<unknown>>> = {
  'ending another session': async ({ browser }) => await submit(browser, '/account/sessions', 'end-session'),
  'signing out in another browser': async ({ other }) => await submit(other, '/logout', 'sign-out'),
  'staying signed in': async ({ browser }) => {
    const page = await openLogout(browser, { client_id: apps[0]?.clientId ?? '' });
    await browser.submit(page, page.formOf('sign-out'), { choice: 'stay' });
  },
  'signing in to an application again': async ({ browser, person }) => await signInTo(silent, browser, person),
  'confirming the password': async ({ browser, person }) => {
    const [app] = apps;
    if (app !== undefined) await signIn(browser, person, await app.send(browser, { prompt: 'login', scope: 'openid' }));
  },
};

test.each(Object.keys(continues))('%s notifies nobody', async (name) => {
  const one = await prepare();
  await continues[name]?.(one);
  expect(await findQueued(one)).toEqual([]);
});

test('a person who denied the request is not signed in to the application', async () => {
  const person = await registerPerson(auth.db, 'denying_person');
  const browser = createBrowser(auth);
  const [app] = apps;
  const consent = await signIn(browser, person, await app?.send(browser, { scope: 'openid users' }));
  await browser.submit(consent, consent.formWith('decision', 'deny'), { decision: 'deny' });
  await submit(browser, '/logout', 'sign-out');
  expect(await auth.db.prisma.backchannelLogout.count({ where: { accountId: person.id } })).toBe(0);
});
