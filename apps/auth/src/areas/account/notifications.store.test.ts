import { createTestDatabase } from '@linnet/test/db/test-database';
import { findUnwanted } from '@linnet/social/notification/notification-setting-store';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());

test('/account/notifications shows what the person wants, and saves a choice', async () => {
  const ada = await registerPerson(auth.db, 'notified_ada');
  const browser = createBrowser(auth);
  await signIn(browser, ada);
  const page = await browser.open('/account/notifications');
  expect(page.html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(7);
  const form = page.formOf('save-notifications');
  const saved = await browser.submit(page, form, { kind: ['mention', 'reply', 'x'] });
  expect(saved.html).toContain(en.notifications.saved);
  expect(await findUnwanted(auth.db, ada.id)).toEqual(
    new Set(['like', 'repost', 'follow', 'follow_request', 'approved']),
  );
  expect(saved.html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2);
});
