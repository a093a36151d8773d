import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { decide, register } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';
import type { SampleApplication } from '../../support/sample-application.ts';
import { createApiCaller } from '../../support/walk-through.ts';

/** `response_type=token`: the token comes in the fragment of the callback's address (decisions D46). */

function tokenRequest(app: SampleApplication, more: Readonly<Record<string, string>> = {}): string {
  const { clientId, redirectUri } = app;
  const request = { response_type: 'token', client_id: clientId, redirect_uri: redirectUri, scope: 'users posts' };
  return `/oauth/authorize?${new URLSearchParams({ ...request, state: 'a b+c/=', nonce: 'n-1', ...more }).toString()}`;
}

test('an application that ticked it gets its token in the fragment, after a warning', async () => {
  const { page } = await openBrowser();
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
  const { status, body } = await createApiCaller(baseUrl, token)('GET /users/show');
  expect([status, body.username]).toEqual([200, person.username]);
});

test('one that did not is told so, and the person is not asked', async () => {
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
