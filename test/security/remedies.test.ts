import { createBrowser } from '@linnet/auth/testing/browser';
import type { Browser, Page } from '@linnet/auth/testing/browser';
import { connect } from '@linnet/auth/testing/connected';
import type { Connected } from '@linnet/auth/testing/connected';
import { linkIn, mailTo } from '@linnet/auth/testing/mailbox';
import { registerPerson, signIn } from '@linnet/auth/testing/person';
import type { Person } from '@linnet/auth/testing/person';
import { basic, forDevices } from '@linnet/auth/testing/running-auth';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startRevocationServers } from '../support/revocation-servers.ts';
import type { Credentials, RevocationServers } from '../support/revocation-servers.ts';
import { eventually, runLinnet } from '../support/service.ts';

/**
 * Every remedy against a takeover × every kind of access it must end within a second
 * (docs/guarantees.md#remedies). Each cell is a test.
 */

let servers: RevocationServers;
beforeAll(async () => {
  servers = await startRevocationServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'remedy_other_owner');
});
afterAll(async () => {
  await servers[Symbol.asyncDispose]();
});

/** Everything that someone with the password can leave behind. */
interface Takeover {
  readonly person: Person;
  /** The browser of the person who uses the remedy. */
  readonly own: Browser;
  readonly other: Browser;
  readonly app: Connected;
  /** A callback whose code was not exchanged. */
  readonly callback: Page;
  readonly bot: Required<Credentials> & { readonly token: string };
  readonly device: { readonly clientId: string; readonly deviceCode: string };
}

async function takeOver(username: string): Promise<Takeover> {
  const person = await registerPerson(servers.database.db, username);
  const [own, other] = [createBrowser(servers.auth), createBrowser(servers.auth)];
  await signIn(own, person);
  await signIn(other, person);
  const app = await connect(servers.auth, other, { owner: 'remedy_other_owner' });
  const callback = await app.authorize(other);
  const { clientId, clientSecret = '' } = await servers.auth.register({ owner: person.username, actAsOwner: true });
  const bot = { clientId, clientSecret, token: await issueToken({ clientId, clientSecret }) };
  return { person, own, other, app, callback, bot, device: await approveDevice(other) };
}

async function issueToken({ clientId, clientSecret }: Required<Credentials>): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  return (await servers.auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

/** A device code that was approved, and not yet exchanged. */
async function approveDevice(browser: Browser): Promise<Takeover['device']> {
  const { clientId } = await servers.auth.register({ owner: 'remedy_other_owner', type: 'native', ...forDevices });
  const { json } = await servers.manage('/oauth/device_authorization', { clientId }, { scope: 'posts' });
  const page = await browser.open('/oauth/device');
  const shown = await browser.submit(page, page.formWith('user_code'), { user_code: String(json['user_code']) });
  await browser.submit(shown, shown.formWith('decision', 'allow'), { decision: 'allow' });
  return { clientId, deviceCode: String(json['device_code']) };
}

async function submit(browser: Browser, path: string, testId: string, values = {}): Promise<void> {
  const page = await browser.open(path);
  expect((await browser.submit(page, page.formOf(testId), values)).status).toBe(200);
}

async function linnet(...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runLinnet([...args, '--json'], servers.env);
  expect([exitCode, stderr]).toEqual([0, '']);
}

async function resetByMail({ person }: Takeover): Promise<void> {
  const browser = createBrowser(servers.auth);
  const page = await browser.open('/password/forgot');
  await browser.submit(page, page.formWith('email'), { email: person.email });
  let link = '';
  await eventually('the mail arrives', async () => {
    const mail = (await mailTo(servers.mailDirectory, person.email)).find(({ text }) => text.includes('reset'));
    if (mail !== undefined) link = linkIn(mail);
    return mail !== undefined;
  });
  const reset = await browser.open(link);
  const values = { new_password: 'a password that is new' };
  expect((await browser.submit(reset, reset.formWith('new_password'), values)).url.pathname).toBe('/login');
}

const remedies: Readonly<Record<string, (takeover: Takeover) => Promise<void>>> = {
  'changing the password': async ({ own, person }) => {
    const values = { current_password: person.password, new_password: 'a password that is new' };
    await submit(own, '/account/password', 'change-password', values);
  },
  'resetting the password by mail': resetByMail,
  'signing out everywhere': async ({ own }) => {
    await submit(own, '/account/sessions', 'end-all-sessions');
  },
  'linnet user set-password': async ({ person }) => {
    await linnet('user', 'set-password', person.username, '--password', 'a password that is new');
  },
  'linnet user reset-factors': async ({ person }) => {
    await linnet('user', 'reset-factors', person.username);
  },
};

type Check = (takeover: Takeover) => Promise<boolean>;

/** Rejected by every statement at once. Asked exactly once, because a second use fails in any case. */
const singleUse: Readonly<Record<string, Check>> = {
  'a refresh token': async ({ app }) => (await app.refresh(app.refreshToken)).json['error'] === 'invalid_grant',
  'an authorization code': async ({ app, callback }) =>
    (await app.exchange(callback)).json['error'] === 'invalid_grant',
  'an approved device code': async ({ device: { clientId, deviceCode } }) => {
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode };
    const { json } = await servers.auth.requestToken({ ...form, client_id: clientId });
    return ['invalid_grant', 'access_denied', 'expired_token'].includes(String(json['error']));
  },
};

/** Ends within a second, which the tests of RT8 measure. */
const lasting: Readonly<Record<string, Check>> = {
  'a session in another browser': async ({ other }) => (await other.open('/account')).url.pathname === '/login',
  'an access token': async ({ app }) => (await servers.decideApi(0, app.accessToken)) === 401,
  'the token of an application that acts as its owner': async ({ bot }) =>
    (await servers.decideApi(1, bot.token)) === 401,
  // The application still gets tokens for itself, but they no longer carry the account.
  'acting as the owner with client credentials': async ({ bot }) =>
    (await servers.decideApi(1, await issueToken(bot))) === 400,
};

let count = 0;

test('without a remedy, all of it works', async () => {
  const { other, app, callback, bot, device } = await takeOver('remedy_none');
  expect((await other.open('/account')).url.pathname).toBe('/account');
  expect([await servers.decideApi(0, app.accessToken), await servers.decideApi(1, bot.token)]).toEqual([200, 200]);
  expect(await servers.decideApi(1, await issueToken(bot))).toBe(200);
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.deviceCode };
  const statuses = [
    (await app.refresh(app.refreshToken)).status,
    (await app.exchange(callback)).status,
    (await servers.auth.requestToken({ ...form, client_id: device.clientId })).status,
  ];
  expect(statuses).toEqual([200, 200, 200]);
});

describe.each(Object.keys(remedies))('%s ends', (name) => {
  let takeover: Takeover;
  beforeAll(async () => {
    count += 1;
    takeover = await takeOver(`remedy_${String(count)}`);
    await remedies[name]?.(takeover);
  });

  test.each(Object.keys(singleUse))('%s', async (access) => {
    expect(await singleUse[access]?.(takeover)).toBe(true);
  });

  test.each(Object.keys(lasting))('%s', async (access) => {
    const hasEnded = async () => (await lasting[access]?.(takeover)) === true;
    await eventually(`${access} has ended`, hasEnded);
    expect(await hasEnded()).toBe(true);
  });
});
