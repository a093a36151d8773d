import { createBrowser } from '../support/auth/browser.ts';
import type { Browser } from '../support/auth/browser.ts';
import { signIn } from '../support/auth/person.ts';

import type { RevocationServers } from '../support/revocation-servers.ts';
import { operate } from '../support/operator.ts';
import { requestChange, requestReset, waitForLink } from './takeover.ts';
import type { Takeover } from './takeover.ts';

type Remedy = (servers: RevocationServers, takeover: Takeover) => Promise<void>;

async function submit(browser: Browser, [path, testId]: readonly [string, string], values = {}): Promise<void> {
  const page = await browser.open(path);
  const { status, text } = await browser.submit(page, page.formOf(testId), values);
  if (status !== 200) throw new Error(`${testId}: ${String(status)} ${text}`);
}

async function linnet({ env }: RevocationServers, ...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await operate([...args, '--json'], env);
  if (exitCode !== 0) throw new Error(`linnet ${args.join(' ')}: ${stderr}`);
}

/** A command for each of the applications. */
function forApplications(...args: readonly string[]): Remedy {
  const [group = '', command = '', ...options] = args;
  return async (servers, { app, bot, agent, documented }) => {
    const withSecret = [app, bot, agent];
    const all = command === 'rotate-secret' ? withSecret : [...withSecret, documented];
    for (const { clientId } of all) await linnet(servers, group, command, clientId, ...options);
  };
}

function forAccount(...args: readonly string[]): Remedy {
  const [group = '', command = '', ...options] = args;
  return async (servers, { person }) => {
    await linnet(servers, group, command, person.username, ...options);
  };
}

const endNow = ['token', 'end', '--issued-before', 'now', '--reason', 'a test'];

const newPassword = 'a password that is new';

/** Every remedy, by the name of its column in `docs/evidence/guarantees.md`. */
export const remedies: Readonly<Record<string, Remedy>> = {
  'password changed': async (_, { own, person }) => {
    const values = { current_password: person.password, new_password: newPassword };
    await submit(own, ['/account/password', 'change-password'], values);
  },
  'password reset by mail': async (servers, takeover) => {
    const browser = createBrowser(servers.auth);
    const page = await browser.open(await requestReset(servers, takeover));
    const done = await browser.submit(page, page.formWith('new_password'), { new_password: newPassword });
    if (done.url.pathname !== '/login') throw new Error(done.text);
  },
  'signed out everywhere': async (_, { own }) => {
    await submit(own, ['/account/sessions', 'end-all-sessions']);
  },
  'that session ended': async (_, { own }) => {
    await submit(own, ['/account/sessions', 'end-session']);
  },
  'provider unlinked': async (_, { own }) => {
    await submit(own, ['/account/security', 'remove-identity']);
  },
  'applications disconnected': async (_, { own }) => {
    for (const _application of ['app', 'bot', 'agent', 'documented']) {
      await submit(own, ['/account/applications', 'revoke-application']);
    }
  },
  'address changed': async (servers, takeover) => {
    const link = await requestChange(servers, takeover, `new_${takeover.person.email}`);
    await confirm(createBrowser(servers.auth), link);
  },
  'address proved first': async (servers, { person }) => {
    const link = await waitForLink(servers, { to: person.email, subject: 'Confirm your Linnet' });
    // Mail was configured after the account was created. This server sends none before it stops.
    await using configured = await servers.startAuth({ SMTP_URL: 'smtp://127.0.0.1:1' });
    await confirm(createBrowser(configured), link);
  },
  'account deleted': async (_, { own, person }) => {
    await submit(own, ['/account/delete', 'delete-account'], { confirm: '1', password: person.password });
  },
  '`user set-password`': forAccount('user', 'set-password', '--password', newPassword),
  '`user reset-factors`': forAccount('user', 'reset-factors'),
  '`user suspend`': forAccount('user', 'suspend'),
  'paused by the owner': async (servers, { own, app, appOwner, bot }) => {
    const browser = createBrowser(servers.auth);
    await signIn(browser, appOwner);
    await submit(browser, [`/developer/applications/${app.clientId}/danger`, 'pause-application']);
    await submit(own, [`/developer/applications/${bot.clientId}/danger`, 'pause-application']);
  },
  '`app suspend`': forApplications('app', 'suspend'),
  '`app delete`': forApplications('app', 'delete'),
  '`app rotate-secret --overlap 0`': forApplications('app', 'rotate-secret', '--overlap', '0'),
  '`keys revoke`': async (servers, { app }) => {
    const [head = ''] = app.accessToken.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    await linnet(servers, 'keys', 'revoke', kid);
  },
  '`token end --user`': async (servers, { person }) => {
    await linnet(servers, ...endNow, '--user', person.username);
  },
  '`token end --application`': async (servers, { app, bot, agent, documented }) => {
    for (const { clientId } of [app, bot, agent, documented]) {
      await linnet(servers, ...endNow, '--application', clientId);
    }
  },
  'API deleted': async (servers, { api }) => {
    await linnet(servers, 'api', 'delete', api.identifier);
  },
  'API owner suspended': async (servers, { api }) => {
    await linnet(servers, 'user', 'suspend', api.owner);
  },
  'API owner deleted': async (servers, { api }) => {
    await linnet(servers, 'user', 'delete', api.owner, '--reason', 'a test', '--yes');
  },
  // The last one, because it ends the sessions of everybody.
  '`token end`': async (servers) => {
    await linnet(servers, ...endNow);
  },
};

async function confirm(browser: Browser, link: string): Promise<void> {
  const page = await browser.open(link);
  const { status, text } = await browser.submit(page, page.formOf('verify-email'));
  if (status !== 200) throw new Error(`${String(status)} ${text}`);
}
