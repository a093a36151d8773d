import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { serveRoutes } from '../../clients/small-server.ts';
import { createClient } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { operate } from '../../support/operator.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { decide, register, signIn, signOut } from '../../support/page-steps.ts';
import type { Person } from '../../support/page-steps.ts';
import { findFreePort } from '../../support/service.ts';

/**
 * Applications whose addresses send the browser on to another program or origin. Chromium applies the policy `form-action`
 * of the page with the form to each of these redirects; a violation fails the test (`openBrowser`).
 */

const targets = {
  '/plain': 'claude://127.0.0.1/callback',
  '/reversed': 'com.example.app://127.0.0.1/callback',
  '/loopback': `http://127.0.0.1:${String(await findFreePort())}/callback`,
} as const;
type Path = keyof typeof targets;

const cleanup = new AsyncDisposableStack();
let client: Client;
let home: URL;
beforeAll(async () => {
  home = new URL(`http://127.0.0.1:${String(await findFreePort())}/`);
  const addresses = Object.keys(targets).map((path) => new URL(path, home).href);
  client = await createClient(
    inject('service').env,
    `leading_${randomUUID().slice(0, 8)}`,
    addresses.flatMap((address) => ['--redirect-uri', address, '--post-logout-redirect-uri', address]),
  );
  const routes = Object.entries(targets).flatMap(([path, target]) =>
    ['GET', 'POST'].map((method) => [`${method} ${path}`, async () => ({ redirectTo: new URL(target) })] as const),
  );
  cleanup.use(await serveRoutes(home, Object.fromEntries(routes)));
  const loopback = new URL(targets['/loopback']);
  cleanup.use(await serveRoutes(loopback, { 'GET /callback': async () => ({ html: 'Back' }) }));
});
afterAll(() => cleanup.disposeAsync());

/** The URL of an authorization request. */
function request(path: Path, more: Readonly<Record<string, string>> = {}): string {
  const usual = { response_type: 'code', client_id: client.id, redirect_uri: new URL(path, home).href, scope: 'users' };
  return `/oauth/authorize?${new URLSearchParams({ ...usual, ...more }).toString()}`;
}

function signOutRequest(path: Path): string {
  const query = { client_id: client.id, post_logout_redirect_uri: new URL(path, home).href };
  return `/oauth/logout?${new URLSearchParams(query).toString()}`;
}

/** Acts, waits until the browser follows the redirect to the target of `path`, and returns its URL. */
async function lead(page: Page, path: Path, act: () => Promise<unknown>): Promise<string> {
  const followed = page.waitForRequest((sent) => sent.url().startsWith(targets[path]), { timeout: 30_000 });
  const [sent] = await Promise.all([followed, act()]);
  return sent.url();
}

interface Flow {
  readonly scripts?: boolean;
  /** Opens the page with the form, and returns how to send it. */
  readonly open: (page: Page, path: Path, person: Person) => Promise<() => Promise<unknown>>;
}

const authorize: Flow = {
  open: async (page, path) => {
    await page.goto(request(path));
    return async () => await decide(page, 'allow');
  },
};

const flows: Readonly<Record<string, Flow>> = {
  Authorize: authorize,
  Deny: {
    open: async (page, path) => {
      await page.goto(request(path));
      return async () => await decide(page, 'deny');
    },
  },
  'a sign-in, with consent given': {
    open: async (page, path, person) => {
      await consent(page);
      await signOut(page);
      await page.goto(request(path));
      return async () => await signIn(page, person);
    },
  },
  'a sign-in that leads to an authorization request': {
    open: async (page, path, person) => {
      await consent(page);
      await signOut(page);
      await page.goto(`/login?${new URLSearchParams({ return_to: request(path) }).toString()}`);
      return async () => await signIn(page, person);
    },
  },
  'the choice of an account, with consent given': {
    open: async (page, path) => {
      await consent(page);
      await page.goto(request(path, { prompt: 'select_account' }));
      return async () => await page.locator('button[name=account][value=keep]').click();
    },
  },
  'a sign-out': {
    open: async (page, path) => {
      await page.goto(signOutRequest(path));
      return async () => await page.getByTestId('sign-out').click();
    },
  },
  'staying signed in': {
    open: async (page, path) => {
      await page.goto(signOutRequest(path));
      return async () => await page.getByRole('button', { name: 'Stay signed in' }).click();
    },
  },
  'a posted response': {
    scripts: true,
    open: async (page, path) => {
      await page.goto(request(path, { response_mode: 'form_post' }));
      return async () => await decide(page, 'allow');
    },
  },
  'a response that a button posts': {
    open: async (page, path) => {
      await page.goto(request(path, { response_mode: 'form_post' }));
      await decide(page, 'allow');
      return async () => await page.getByTestId('continue-to-application').click();
    },
  },
  'an error that a button posts': {
    open: async (page, path) => {
      await signOut(page);
      await page.goto(request(path, { response_mode: 'form_post', scope: 'nonsense' }));
      return async () => await page.getByTestId('continue-to-application').click();
    },
  },
};

/** Ends on a page: behind a private scheme, Chromium may abort what is opened next. */
async function consent(page: Page): Promise<void> {
  await page.goto(request('/loopback'));
  await decide(page, 'allow');
  await page.waitForURL(`${targets['/loopback']}**`);
}

async function follow(path: Path, { scripts = false, open }: Flow): Promise<string> {
  const { page } = await openBrowser({ scripts });
  const person = await register(page);
  return await lead(page, path, await open(page, path, person));
}

describe.each(Object.entries(flows))('%s', (_name, flow) => {
  test('leads on to a private scheme', async () => {
    expect(await follow('/plain', flow)).toBe(targets['/plain']);
  });
});

test.each(['/reversed', '/loopback'] as const)('Authorize leads on from %s', async (path) => {
  expect(await follow(path, authorize)).toBe(targets[path]);
});

test.each(['allow', 'deny'] as const)('%s at a private scheme leaves a page that may be closed', async (decision) => {
  const { page } = await openBrowser({ scripts: true });
  const { username } = await register(page);
  const redirectUri = targets['/reversed'];
  const settings = ['--owner', username, '--name', 'Notes', '--type', 'native', '--redirect-uri', redirectUri];
  const { stdout } = await operate(['app', 'create', ...settings, '--scope', 'users', '--json'], inject('service').env);
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const { client_id: clientId }: { client_id: string } = JSON.parse(stdout);
  await page.goto(request('/plain', { client_id: clientId, redirect_uri: redirectUri, ...challenge }));
  const left = page.waitForRequest((sent) => sent.url().startsWith(redirectUri));
  await decide(page, decision);
  await left;
  expect(await page.getByText('You can close this page when the app has opened.').isVisible()).toBe(true);
  expect(await page.title()).toMatch(/^Returning to Notes/);
  expect(await page.getByRole('button').count()).toBe(0);
});
