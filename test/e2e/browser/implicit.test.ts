import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { decide, register } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';
import type { SampleApplication } from '../../support/sample-application.ts';

/** `response_type=token`: the token is in the fragment of the redirect URI (decision D46). */

function tokenRequest(app: SampleApplication, more: Readonly<Record<string, string>> = {}): string {
  const { clientId, redirectUri } = app;
  const request = { response_type: 'token', client_id: clientId, redirect_uri: redirectUri, scope: 'users posts' };
  return `/oauth/authorize?${new URLSearchParams({ ...request, state: 'a b+c/=', nonce: 'n-1', ...more }).toString()}`;
}

/** Sends a request from a script of the page, which is subject to CORS and a preflight. */
async function callFromPage(page: Page, call: string, token: string) {
  return await page.evaluate(
    async ([method, url, bearer]) => {
      const sent = { accept: 'application/json', authorization: `Bearer ${bearer}`, 'idempotency-key': 'one' };
      const body = method === 'POST' ? JSON.stringify({ message: 'from another origin' }) : null;
      const headers = { ...sent, ...(body === null ? {} : { 'content-type': 'application/json' }) };
      const answer = await fetch(url, { method, headers, body });
      return { status: answer.status, headers: [...answer.headers.keys()], body: await answer.json() };
    },
    [...call.split(' '), token] as [string, string, string],
  );
}

test('an application with the implicit flow gets its token in the fragment, after a warning', async () => {
  const { page } = await openBrowser({ scripts: true });
  const person = await register(page);
  await using app = await startSampleApplication(page, { implicit: true });
  await page.goto(tokenRequest(app));
  const shown = await page.locator('main').innerText();
  expect(shown).toContain('address bar');
  expect(shown).toContain('10 minutes');
  await decide(page, 'allow');

  const landed = new URL(page.url());
  expect(landed.href.startsWith(`${app.redirectUri}#`)).toBe(true);
  const { access_token: token = '', ...rest } = Object.fromEntries(new URLSearchParams(landed.hash.slice(1)));
  const { baseUrl } = inject('service');
  const terms = { token_type: 'Bearer', expires_in: '600', scope: 'users posts' };
  expect(rest).toEqual({ ...terms, state: 'a b+c/=', nonce: 'n-1', iss: baseUrl });
  const shownAccount = await callFromPage(page, `GET ${baseUrl}/api/v2.0/users/show`, token);
  expect(shownAccount).toMatchObject({ status: 200, body: { username: person.username } });
  const written = await callFromPage(page, `POST ${baseUrl}/api/v2.0/post/create`, token);
  expect(written.status).toBe(200);
  expect(written.headers).toContain('x-request-id');
  const refused = await callFromPage(page, `GET ${baseUrl}/api/v2.0/users/show`, 'wrong');
  expect(refused).toMatchObject({ status: 401, body: { status: 401 } });
});

test('other applications get an error, and the person sees no consent page', async () => {
  const { page } = await openBrowser();
  await register(page);
  await using app = await startSampleApplication(page);
  await page.goto(tokenRequest(app));
  const landed = new URL(page.url());
  expect(landed.host).toBe(app.home.host);
  const answer = new URLSearchParams(landed.hash.slice(1));
  expect(answer.get('error')).toMatch(/^(unauthorized_client|unsupported_response_type|invalid_request)$/);
  expect(answer.get('state')).toBe('a b+c/=');
  expect(answer.has('access_token')).toBe(false);
});
