/** Steps in Warbler, the example client. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';

import { serveWarbler } from '../../examples/warbler/serve.ts';
import { openBrowser } from './open-browser.ts';
import type { BrowserOptions } from './open-browser.ts';
import { createApplication, decide, register } from './page-steps.ts';
import type { Person } from './page-steps.ts';
import { findFreePort } from './service.ts';

export interface Warbler extends AsyncDisposable {
  readonly page: Page;
  readonly person: Person;
  readonly home: string;
}

/** Registers a person and Warbler, signs in there, and shows its first page. */
export async function openWarbler(options: BrowserOptions = {}): Promise<Warbler> {
  const { page } = await openBrowser({ scripts: true, ...options });
  const person = await register(page);
  const port = await findFreePort();
  const redirectUris = [`http://127.0.0.1:${String(port)}/callback`];
  const { clientId } = await createApplication(page, { name: 'Warbler', type: 'public', redirectUris });
  const { baseUrl: issuer } = inject('service');
  const served = await serveWarbler({ issuer, clientId, serviceName: 'Linnet', port });
  await page.goto(served.home);
  await expectAccessible(page);
  await signInToWarbler(page);
  return { page, person, home: served.home, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

export async function signInToWarbler(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Linnet' }).click();
  await decide(page, 'allow');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
  expect(found).toEqual([]);
}

/** Opens a page that is not in the navigation. */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('dialog').getByRole('link', { name }).click();
}
