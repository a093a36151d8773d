import { inject, expect, test } from 'vitest';

import { connectBrowser } from '../../support/open-browser.ts';
import { signIn } from '../../support/page-steps.ts';
import { createClient, password } from '../../support/api-client.ts';

/** What a third-party script could do in place of Scalar's, in the browser of a person who is signed in. */

const deadline = { timeout: 120_000 };

/** Each attack ends as `reached: …` if it got anything, else as `refused`. */
const plantedScript = `(async () => {
  const outcomes = {};
  const attempt = async (name, work) => {
    try {
      const got = await work();
      outcomes[name] = got === undefined || got === null || got === '' ? 'refused' : 'reached: ' + String(got).slice(0, 80);
    } catch {
      outcomes[name] = 'refused';
    }
  };
  const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 3000))]);
  for (const path of ['/login', '/account', '/developer', '/oauth/authorize']) {
    await attempt('fetch ' + path, async () => (await fetch(path, { credentials: 'include' })).text());
    await attempt('opaque fetch ' + path, async () => (await fetch(path, { credentials: 'include', mode: 'no-cors' })).type);
  }
  await attempt('sign-in form', () => within(new Promise((resolve) => {
    const form = document.body.appendChild(document.createElement('form'));
    const target = document.body.appendChild(document.createElement('iframe'));
    target.name = 'target';
    target.onload = () => { if (target.contentWindow.length >= 0 && target.dataset.sent) resolve('submitted'); };
    Object.assign(form, { method: 'post', action: '/login', target: 'target' });
    document.addEventListener('securitypolicyviolation', () => resolve(undefined));
    target.dataset.sent = 'yes';
    form.submit();
  })));
  await attempt('cookies', () => document.cookie);
  await attempt('storage of the origin', () => localStorage.length + ' items');
  await attempt('the page around it', () => parent.document.title);
  await attempt('a frame of the account', () => within(new Promise((resolve, reject) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.onload = () => { try { resolve(frame.contentDocument.title); } catch (error) { reject(error); } };
    frame.src = '/account';
  })));
  await attempt('a window of the account', async () => {
    const opened = open('/account', 'planted');
    if (opened === null) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return opened.document.title;
  });
  await attempt('the address of the top window', () => { top.location.href = '/account?by=top'; return 'assigned'; });
  await attempt('the page around it opens another page', () => within(new Promise((resolve) => {
    addEventListener('message', ({ data }) => resolve(JSON.stringify(data)));
    parent.postMessage({ kind: 'authorize', id: 'x', url: '/account?by=host' }, '*');
  })));
  // Opens a window, in which the person is asked.
  const pushed = new URLSearchParams({ prompt: 'none', request: 'x', request_uri: 'urn:ietf:params:oauth:request_uri:x' });
  parent.postMessage({ kind: 'authorize', id: 'y', url: '/oauth/authorize?' + pushed }, '*');
  document.body.dataset.outcomes = JSON.stringify(outcomes);
})();
`;

test('can neither sign anyone in nor read a session', async () => {
  const { baseUrl, env } = inject('service');
  await createClient(env, 'owns_session');
  await using browser = await connectBrowser({ scripts: true, width: 1280 });
  const { page, context } = browser;
  await page.goto('/login');
  await signIn(page, { username: 'owns_session', password });
  expect((await context.cookies(baseUrl)).length).toBeGreaterThan(0);
  // Also without our own script, which runs before Scalar's.
  await context.route('**/sandbox.js*', async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  await context.route('**/scalar.js*', async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body: plantedScript });
  });
  const sent: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() !== 'GET' || search.startsWith('?by=')) sent.push(`${request.method()} ${pathname}${search}`);
  });
  const authorizing = context.waitForEvent('request', {
    ...deadline,
    predicate: (request) => request.isNavigationRequest() && new URL(request.url()).pathname === '/oauth/authorize',
  });
  await page.goto('/api/v2.0/docs');
  const body = page.frameLocator('#reference').locator('body[data-outcomes]');
  await body.waitFor({ ...deadline, state: 'attached' });
  const outcomes: Readonly<Record<string, string>> = JSON.parse((await body.getAttribute('data-outcomes')) ?? '{}');
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'refused')).toEqual([]);
  expect(Object.keys(outcomes)).toHaveLength(16);
  expect(new URL((await authorizing).url()).search).toBe('?prompt=consent');
  expect([sent, new URL(page.url()).pathname]).toEqual([[], '/api/v2.0/docs']);
});
