import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

const day = 86_400_000;

/** Days until the stored expiry of the latest refresh token. */
async function daysLeft(): Promise<number> {
  const { expiresAt } = await auth.db.prisma.oAuthArtifact.findFirstOrThrow({
    where: { kind: 'RefreshToken' },
    orderBy: { createdAt: 'desc' },
  });
  return (expiresAt.getTime() - Date.now()) / day;
}

test('D51 a refresh token expires 30 days after the last use of its family, and at most one year after the first token', async () => {
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_byron'));
  const app = await connect(auth, browser);
  expect(await daysLeft()).toBeCloseTo(30, 1);

  await auth.db.prisma.$executeRawUnsafe(`
    UPDATE oauth_artifact SET payload = jsonb_set(payload, '{iiat}', to_jsonb((payload->>'iiat')::int - 350 * 86400))
    WHERE kind = 'RefreshToken'`);
  const { status, json } = await app.refresh(app.refreshToken);
  expect([status, typeof json['refresh_token']]).toEqual([200, 'string']);
  expect(await daysLeft()).toBeCloseTo(15, 1);
});
