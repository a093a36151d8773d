import { expect, test } from 'vitest';

import { DatabaseImpaired } from './connection/database-error.ts';
import { openDatabase } from './database.ts';
import type { Queryable } from './statement/transaction.ts';
import { requireRow, statement } from './statement/statement.ts';
import { startReplicatedCluster } from '@linnet/test/db/replicated-cluster';

const writes = {
  'a write': `UPDATE account SET username = username`,
  'a lock': 'SELECT id FROM account FOR UPDATE',
  'an id': 'SELECT next_id(0)',
  'a read of an unlogged table': 'SELECT count(*) FROM rate_limit',
  'a write to an unlogged table': `INSERT INTO rate_limit (key, points) VALUES ('standby', 1)`,
};

const serverProcess = statement<readonly [], { readonly pid: number }>('test_pid', 'SELECT pg_backend_pid() AS pid');

async function findProcess(db: Queryable): Promise<number> {
  return requireRow(await db.query(serverProcess, []), serverProcess).pid;
}

/** As after a switch of the primary that the pool has not noticed. */
test('what a standby refuses is an outage, and its connection is not used again', async () => {
  await using cluster = await startReplicatedCluster();
  await cluster.startStandby();
  await using db = openDatabase({ url: cluster.standbyUrl, poolSize: 1, prepare: true });
  const isReadOnly = expect.objectContaining({ outage: 'read-only' });
  for (const [name, text] of Object.entries(writes)) {
    const write = statement<readonly [], unknown>(`test_${name.replaceAll(' ', '_')}`, text);
    await expect(db.query(write, []), name).rejects.toEqual(isReadOnly);
    const before = await findProcess(db);
    const transaction = db.transaction(async (tx) => await tx.query(write, []));
    await expect(transaction, name).rejects.toEqual(isReadOnly);
    expect(await findProcess(db), name).not.toBe(before);
  }
  const key = { key: 'standby', points: 1 };
  await expect(db.prisma.rateLimit.create({ data: key })).rejects.toThrow(DatabaseImpaired);
  await expect(db.prisma.rateLimit.count()).rejects.toThrow(DatabaseImpaired);
});
