import { errorCatalogue } from '@linnet/contract/errors';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(async () => await cleanup.disposeAsync());

test('every problem of the API has a page, with its status, remedy and an example', async () => {
  const browser = createBrowser(auth);
  const list = await browser.open('/problems');
  for (const [code, { status, title, detail }] of Object.entries(errorCatalogue)) {
    const page = await browser.open(list.link(code), list);
    expect([page.status, page.url.pathname]).toEqual([200, `/problems/${code}`]);
    expect(page.title).toContain(title);
    for (const text of [String(status), detail, `"type": "${auth.baseUrl}/problems/${code}"`]) {
      expect(page.text).toContain(text);
    }
  }
});

test('a problem page lists the calls that respond with it', async () => {
  const browser = createBrowser(auth);
  expect((await browser.open('/problems/image-refused')).text).toContain('POST /media/upload');
  expect((await browser.open('/problems/image-refused')).text).not.toContain('GET /post/show');
  expect((await browser.open('/problems/rate-limited')).text).toContain('Every endpoint.');
});

test('is in the language of the browser, except for the remedy, which is as in the response', async () => {
  const browser = createBrowser(auth, { headers: { 'accept-language': 'de' } });
  const page = await browser.open('/problems/not-found');
  expect(page.text).toContain('Diesen Eintrag gibt es nicht');
  expect(page.html).toContain('<span lang="en">');
});

test.each(['/problems/no-such-code', '/problems/constructor', '/problems/', '/problems/not-found/x'])(
  '%s is 404',
  async (path) => {
    expect((await createBrowser(auth).open(path)).status).toBe(404);
  },
);
