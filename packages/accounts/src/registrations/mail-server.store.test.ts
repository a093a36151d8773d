// Blocks of mail servers that several domains share, with a name server on this machine.
import { getServers, setServers } from 'node:dns';

import type { BlockAct } from '@linnet/contract/registration-block';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { startDnsServer } from '@linnet/test/dns-server';
import type { DnsServer } from '@linnet/test/dns-server';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { findBlockOf, isEmailRefused, saveBlocks } from './block-store.ts';

const servFail = 2;
const cleanup = new AsyncDisposableStack();
let db: Db;
let dns: DnsServer;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  dns = cleanup.use(
    await startDnsServer({
      'shared.example': ['MX1.Throwaway.example'],
      'same.example': ['mx.other.example', 'throwaway.example'],
      'alike.example': ['notthrowaway.example'],
      'itself.throwaway.example': [],
      'null.example': [''],
      'once.example': ['mx.throwaway.example'],
      'broken.example': servFail,
      'silent.example': 'silence',
    }),
  );
  const before = getServers();
  cleanup.defer(() => {
    setServers(before);
  });
  setServers([dns.address]);
});
afterEach(() => db.prisma.registrationBlock.deleteMany());
afterAll(() => cleanup.disposeAsync());

const block = { kind: 'mail_server', value: 'throwaway.example', note: '', expiresAt: null } as const;

async function actOn(domain: string): Promise<BlockAct | undefined> {
  return (await findBlockOf(db, { email: `eve@${domain}`, address: '', names: [] }))?.act;
}

test('D186 without such a block, DNS is not asked', async () => {
  await saveBlocks(db, [{ ...block, kind: 'mail_domain', act: 'refuse' }]);
  expect([await actOn('shared.example'), dns.asked]).toEqual([undefined, []]);
});

test.each([
  ['shared.example', 'refuse'],
  ['same.example', 'refuse'],
  ['alike.example', undefined],
  ['itself.throwaway.example', 'refuse'],
  ['null.example', undefined],
  ['unknown.example', undefined],
  ['throwaway.example', 'refuse'],
  ['broken.example', 'mark'],
  ['silent.example', 'mark'],
])('D186 the mail server of %s: %s', async (domain, act) => {
  await saveBlocks(db, [{ ...block, act: 'refuse' }]);
  const found = await Promise.all([actOn(domain), isEmailRefused(db, `eve@${domain}`)]);
  expect(found).toEqual([act, act === 'refuse']);
});

test('a block of another kind counts, also if DNS does not answer', async () => {
  const other = { ...block, kind: 'mail_domain', value: 'broken.example', act: 'approve' } as const;
  await saveBlocks(db, [{ ...block, act: 'refuse' }, other]);
  expect(await actOn('broken.example')).toBe('approve');
});

test('DNS is asked once about a domain', async () => {
  await saveBlocks(db, [{ ...block, act: 'approve' }]);
  await Promise.all([actOn('once.example'), actOn('once.example')]);
  expect(await actOn('once.example')).toBe('approve');
  expect(dns.asked.filter((one) => one === 'once.example')).toHaveLength(1);
});
