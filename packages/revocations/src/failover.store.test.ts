import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { startReplicatedCluster } from '@linnet/test/db/replicated-cluster';
import { expect, test } from 'vitest';

import { createPoll } from './changes-reader.ts';
import { isReplaced, revokeToken, startLoad } from './revocation-store.ts';
import type { Change } from './revocation-store.ts';

const takeTransactionId = statement<readonly [], { readonly xid: number }>(
  'test_transaction_id',
  'SELECT pg_current_xact_id()::text::int8 AS xid',
);

const backendId = statement<readonly [], { readonly pid: number }>('test_backend_id', 'SELECT pg_backend_pid() AS pid');

async function rollBackTransactions(db: Db, count: number): Promise<number> {
  let xid = 0;
  for (let turn = 0; turn < count; turn += 1) {
    await db
      .transaction(async (tx) => {
        ({ xid } = requireRow(await tx.query(takeTransactionId, []), takeTransactionId));
        throw new Error('rolled back');
      })
      .catch(() => undefined);
  }
  return xid;
}

test('a promoted standby uses transaction ids again, and no revocation is missed', async () => {
  await using cluster = await startReplicatedCluster();
  const open = (url: string) => openDatabase({ url, poolSize: 1, prepare: true });
  await cluster.startStandby();
  await cluster.stopStandby();
  await using primary = open(cluster.primaryUrl);
  let server: Queryable = primary;
  const changes: Change[] = [];
  const poll = createPoll({ query: (...call) => server.query(...call) }, (change) => void changes.push(change));
  await poll();
  // What is rolled back need not have reached the standby.
  const lostXid = await rollBackTransactions(primary, 10);
  await poll();
  await cluster.stopPrimary();
  await cluster.startStandby();
  await cluster.runOnStandby('SELECT pg_promote()');
  await using promoted = open(cluster.standbyUrl);
  await revokeToken(promoted, 'revoked-after-the-failover');
  const { xid } = requireRow(await promoted.query(takeTransactionId, []), takeTransactionId);
  expect(xid).toBeLessThan(lostXid);
  // Others write, so that the ids have passed those of the former primary when the feed polls again.
  await rollBackTransactions(promoted, 20);
  server = promoted;
  await poll();
  expect(changes.map(({ id }) => id)).toContain('revoked-after-the-failover');

  // The same after a crash, although the server is not started again.
  const { position } = await startLoad(promoted);
  expect(isReplaced(position, (await startLoad(promoted)).position)).toBe(false);
  const { pid } = requireRow(await promoted.query(backendId, []), backendId);
  process.kill(pid, 'SIGKILL');
  const readPosition = async () => (await startLoad(promoted).catch(() => ({ position }))).position;
  await expect.poll(async () => isReplaced(position, await readPosition())).toBe(true);
});
