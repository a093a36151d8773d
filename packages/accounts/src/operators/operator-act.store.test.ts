import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createAccounts } from '../accounts.ts';
import { NotAnOperator, actAsOperator, lockSubject, recordAct } from './operator-act.ts';
import { grantOperator, revokeOperator } from './role-store.ts';

const cleanup = new AsyncDisposableStack();
let db: Db;
let operatorId: number;
let subjectId: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url: database.url, poolSize: 4, prepare: true }));
  operatorId = await insertAccount(db, 'operator');
  subjectId = await insertAccount(db, 'subject');
  await db.prisma.totp.create({ data: { accountId: operatorId, secretJwe: 'x', lastStep: 1 } });
  await grantOperator(db, 'operator');
});
afterAll(() => cleanup.disposeAsync());

const lastEvent = async () => await db.prisma.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });

test('the events of an act, and of no later transaction, have the operator and the reason', async () => {
  const act = { operatorId, reason: 'Because' };
  await actAsOperator(db, act, async (within) => await createAccounts(within).setVerified('subject', true));
  const detail = { operator: String(operatorId), reason: 'Because' };
  expect(await lastEvent()).toMatchObject({ event: 'account.verified', actor: 'operator', detail });
  await createAccounts(db).setVerified('subject', false);
  expect(await lastEvent()).toMatchObject({ event: 'account.unverified', actor: 'service', detail: {} });
  await actAsOperator(db, act, (within) => recordAct(within, 'account.looked_at', { accountId: subjectId }));
  expect(await lastEvent()).toMatchObject({ event: 'account.looked_at', actor: 'operator', detail });
});

test('what fails is undone as a whole', async () => {
  const failing = actAsOperator(db, { operatorId, reason: 'Because' }, async (within) => {
    await createAccounts(within).suspend('subject');
    throw new Error('planted');
  });
  await expect(failing).rejects.toThrow('planted');
  expect(await db.transaction((tx) => lockSubject(tx, subjectId))).toMatchObject({ isSuspended: false });
});

test('an act waits for the end of the role, and then does nothing', async () => {
  const ending = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  const end = db.transaction(async (tx) => {
    await revokeOperator(tx, 'operator');
    begun.resolve(undefined);
    await ending.promise;
  });
  await begun.promise;
  const act = actAsOperator(db, { operatorId, reason: 'Because' }, (within) =>
    createAccounts(within).suspend('subject'),
  ).catch((error: unknown) => error);
  await waitForLock();
  ending.resolve(undefined);
  await end;
  expect(await act).toBeInstanceOf(NotAnOperator);
  expect(await db.transaction((tx) => lockSubject(tx, subjectId))).toMatchObject({ isSuspended: false });
  await grantOperator(db, 'operator');
});

/** Until a statement waits for a lock. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const waiting = await db.prisma.$queryRaw<unknown[]>`
      SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    if (waiting.length > 0) return;
  }
}

test.each(['passkey', 'totp'] as const)('a new %s ends the role until it is granted again', async (kind) => {
  const data = { accountId: operatorId, createdAt: new Date(Date.now() + 60_000) };
  if (kind === 'totp') await db.prisma.totp.update({ where: { accountId: operatorId }, data });
  else {
    const passkey = { ...data, credentialId: Buffer.from('id'), publicKey: Buffer.from('key'), name: 'Key' };
    await db.prisma.passkey.create({ data: passkey });
  }
  const act = actAsOperator(db, { operatorId, reason: 'Because' }, () => Promise.resolve());
  await expect(act).rejects.toBeInstanceOf(NotAnOperator);
  await db.prisma.passkey.deleteMany();
  await db.prisma.totp.update({ where: { accountId: operatorId }, data: { createdAt: new Date(0) } });
});
