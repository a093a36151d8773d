import { createTestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '../../testing/browser.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import { startAuth } from '../../testing/running-auth.ts';
import type { RunningAuth } from '../../testing/running-auth.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

test('a session that the provider destroys is revoked, so that no parallel request can save it again', async () => {
  const person = await registerPerson(auth.db, 'signing_out');
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const page = await browser.open('/oauth/logout');
  await browser.submit(page, page.formOf('sign-out'));
  const sessions = await auth.db.prisma.session.findMany({ where: { accountId: person.id } });
  expect(sessions).toEqual([expect.objectContaining({ revokedAt: expect.any(Date), idSha256: null })]);
});
