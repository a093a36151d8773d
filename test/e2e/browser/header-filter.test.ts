import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { createApplication, decide, fill, register, signIn, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

/** Browsers, and proxies before them, that leave out headers. */

/** An HTTP proxy that removes headers in both directions. `origins` are those of the forms sent to `host`. */
async function startHeaderFilter(host: string, isRemoved: (name: string) => boolean) {
  const origins: (string | undefined)[] = [];
  let removed = 0;
  const filter = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
    const kept = Object.entries(headers).filter(([name]) => !isRemoved(name));
    removed += Object.keys(headers).length - kept.length;
    return Object.fromEntries(kept);
  };
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '');
    if (incoming.method === 'POST' && url.host === host) origins.push(incoming.headers.origin);
    const options = { method: incoming.method, headers: filter(incoming.headers), agent: false };
    const upstream = request(url, options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, filter(response.headers));
      response.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`,
    origins,
    removedHeaders: () => removed,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('every form works without Sec-Fetch headers, because it sends its origin', async () => {
  const { baseUrl } = inject('service');
  await using filter = await startHeaderFilter(new URL(baseUrl).host, (name) => name.startsWith('sec-fetch-'));
  const { page } = await openBrowser({ proxy: filter.address });
  await page.goto('/register');
  const person = await register(page);
  await using app = await startSampleApplication(page, {}, createApplication);
  await page.goto('/account/profile');
  await fill(page, { first_name: 'Grace' });
  await page.locator('form:has([name=first_name]) button').first().click();
  expect(await page.locator('[name=first_name]').inputValue()).toBe('Grace');
  await signOut(page);
  await page.goto(app.signInUrl());
  await signIn(page, person);
  await decide(page, 'allow');
  expect(await page.locator('#account').innerText()).toBe(person.username);
  expect(filter.removedHeaders()).toBeGreaterThan(0);
  expect(filter.origins.length).toBeGreaterThan(5);
  expect(new Set(filter.origins)).toEqual(new Set([baseUrl]));
});

test('a browser that blocks cookies learns to allow them, at the sign-in page and on the way to an application', async () => {
  const { baseUrl } = inject('service');
  const developer = await openBrowser();
  const person = await register(developer.page);
  await using app = await startSampleApplication(developer.page);
  const isRemoved = (name: string) => name === 'cookie' || name === 'set-cookie';
  await using filter = await startHeaderFilter(new URL(baseUrl).host, isRemoved);
  const { page } = await openBrowser({ proxy: filter.address });
  const heading = page.locator('h1');
  await signIn(page, person);
  expect(await heading.innerText()).toBe('Cookies are required');
  await page.locator('main a').first().click();
  expect(new URL(page.url()).pathname).toBe('/login');
  await page.goto(app.signInUrl());
  expect(await heading.innerText()).toBe('Cookies are required');
});
