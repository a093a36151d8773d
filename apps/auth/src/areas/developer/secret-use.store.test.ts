// Secrets count their uses, expire, and are rotated by operators.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { findFailures } from '@linnet/applications/failures/failure-store';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createApplications } from '@linnet/applications/applications';
import { createMyApplications } from '@linnet/applications/my-applications';
import { sweepExpiredSecrets, bufferSecretUse } from '@linnet/applications/secrets/secret-store';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let other: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  other = cleanup.use(await startAuth(database.url, { owner: 'another_owner' }));
});
afterAll(() => cleanup.disposeAsync());

async function create() {
  const { clientId, clientSecret = '' } = await auth.register();
  const mine = createMyApplications(auth.db, () => Promise.resolve());
  const own = { ownerId: auth.ownerId, clientId };
  const find = async () => {
    const found = await mine.find(own);
    if (found === undefined) throw new Error('no application');
    return found;
  };
  const add = async (submissionId: string, secret: { name?: string; expiresAt?: Date } = {}): Promise<string> => {
    const added = await mine.addSecret({ ...own, submissionId: `${clientId} ${submissionId}`, ...secret });
    return added.kind === 'added' ? added.clientSecret : added.kind;
  };
  return { clientId, clientSecret, find, add };
}

async function ask(server: RunningAuth, clientId: string, secret: string): Promise<number> {
  return (await server.requestToken({ grant_type: 'client_credentials' }, basic(clientId, secret))).status;
}

test('uses of each secret add up over processes, and no request writes them itself', async () => {
  const { clientId, clientSecret, find, add } = await create();
  const second = await add('one', { name: 'New server' });
  await ask(auth, clientId, clientSecret);
  await ask(auth, clientId, second);
  auth.statements.length = 0;
  for (const secret of [clientSecret, second, second]) expect(await ask(auth, clientId, secret)).toBe(200);
  expect(auth.statements.filter((sql) => !/revocation/.test(sql))).toEqual([]);
  expect(await ask(other, clientId, second)).toBe(200);
  expect(await ask(auth, clientId, 'wrong')).toBe(401);
  expect((await find()).secrets).toMatchObject([{ uses: 0 }, { uses: 0, lastUsedAt: undefined }]);
  await Promise.all([auth, other].map(async (server) => await server.runJob('usage')));
  const [, newer] = (await find()).secrets;
  expect((await find()).secrets).toMatchObject([{ uses: 2 }, { uses: 4, name: 'New server' }]);
  expect(Date.now() - (newer?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(60_000);
});

test('concurrent processes count every use in any order while secrets are deleted', async () => {
  const { clientId, clientSecret, find, add } = await create();
  for (const submissionId of ['1', '2', '3']) await add(submissionId);
  const ids = (await find()).secrets.map(({ id }) => id);
  const orders = [ids, ids.toReversed()];
  await Promise.all(
    Array.from({ length: 12 }, async (_, number) => {
      const buffer = bufferSecretUse(number % 2 === 0 ? auth.db : other.db);
      for (const id of [...(orders[number % 2] ?? []), '1']) buffer.add(id, { uses: number + 1, lastUsedAt: number });
      await buffer.flush();
    }),
  );
  expect((await find()).secrets.map(({ uses, lastUsedAt }) => [uses, lastUsedAt?.getTime()])).toEqual(
    ids.map(() => [78, 11]),
  );
  expect(await ask(auth, clientId, clientSecret)).toBe(200);
});

test('an expired secret is rejected like a wrong one, and the owner sees which one it was and when it expired', async () => {
  const { clientId, find, add } = await create();
  const inTime = (days: number) => new Date(Date.now() + days * 86_400_000);
  const end = async (expiresAt: Date) => {
    const where = { clientId, name: 'Old server' };
    await auth.db.prisma.applicationSecret.updateMany({ where, data: { expiresAt } });
  };
  const ended = await add('one', { name: 'Old server', expiresAt: inTime(1) });
  expect(await ask(auth, clientId, ended)).toBe(200);
  await end(new Date());
  await vi.waitFor(async () => expect(await ask(auth, clientId, ended)).toBe(401), 50_000);
  const told = (secret: string) => auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, secret));
  expect((await told(ended)).json).toEqual((await told('wrong')).json);
  await vi.waitFor(async () => {
    const [failure] = (await findFailures(auth.db, clientId, { kind: 'secret_ended' })).list;
    expect(failure?.reason).toMatch(/^the secret “Old server” expired on \d{4}-\d\d-\d\d at \d\d:\d\d UTC$/);
  }, 50_000);
  expect(await find()).toMatchObject({ secrets: [{ name: undefined }], expiredSecrets: [{ name: 'Old server' }] });
  await sweepExpiredSecrets(auth.db);
  expect((await find()).expiredSecrets).toHaveLength(1);
  await end(inTime(-31));
  await sweepExpiredSecrets(auth.db);
  expect(await find()).toMatchObject({ secrets: [{ name: undefined }], expiredSecrets: [] });
});

test('an operator rotates secrets: the old ones work for a grace period, or end at once with their tokens', async () => {
  const { clientId, clientSecret, find } = await create();
  const rotate = async (overlapSeconds: number) => {
    const rotated = await createApplications(auth.db).rotateSecret({ clientId, overlapSeconds });
    return rotated.kind === 'rotated' ? rotated.clientSecret : rotated.kind;
  };
  const second = await rotate(3600);
  expect(await Promise.all([clientSecret, second].map((secret) => ask(auth, clientId, secret)))).toEqual([200, 200]);
  const [first, last] = (await find()).secrets;
  expect((first?.expiresAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  expect(last?.expiresAt).toBeUndefined();
  // Too many: nothing changes, not even the expiry of the active ones.
  for (let number = 3; number <= 5; number += 1) await rotate(7200);
  const before = await find();
  expect([await rotate(60), await find()]).toEqual(['limit-reached', before]);
  const third = await rotate(0);
  await vi.waitFor(async () => {
    expect(await Promise.all([second, third].map((secret) => ask(auth, clientId, secret)))).toEqual([401, 200]);
  }, 50_000);
  expect((await find()).secrets).toHaveLength(1);
});

test('applications without secrets cannot be rotated, and unknown ones are not found', async () => {
  const applications = createApplications(auth.db);
  const { clientId } = await auth.register({ type: 'public' });
  expect(await applications.rotateSecret({ clientId, overlapSeconds: 0 })).toEqual({ kind: 'no-secrets' });
  expect(await applications.delete(clientId)).toBe(true);
  expect(await applications.delete(clientId)).toBe(false);
  expect(await applications.rotateSecret({ clientId, overlapSeconds: 0 })).toEqual({ kind: 'not-found' });
});
