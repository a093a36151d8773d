import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { changesStatement, startLoad } from './revocation-store.ts';

const rows = 20_000;

/** Pages that a poll without changes reads, by the generic plan that a prepared statement has. */
async function countPages(db: Db, snapshot: string): Promise<number> {
  return await db.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL plan_cache_mode = force_generic_plan');
    await tx.$executeRawUnsafe(`PREPARE poll (text) AS ${changesStatement.text}`);
    const [explained] = await tx.$queryRawUnsafe<Record<string, [{ Plan: Record<string, number> }]>[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE poll ('${snapshot}')`,
    );
    await tx.$executeRawUnsafe('DEALLOCATE poll');
    const plan = Object.values(explained ?? {})[0]?.[0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  });
}

test('a poll without changes reads a few pages, whatever the planner knows about the table', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await expectFewPages(database);
});

test('so does a poll while a transaction is open that began before all rows', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using other = await createTestDatabase(inject('databaseServer'));
  await other.db.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
      await expectFewPages(database);
    },
    { timeout: 60_000 },
  );
});

async function expectFewPages({ db }: TestDatabase): Promise<void> {
  const run = async (sql: string) => await db.prisma.$executeRawUnsafe(sql);
  const add = async (kind: string, seconds: number) =>
    await run(
      `INSERT INTO revocation (kind, id, expires_at)
       SELECT '${kind}', 'id-' || g, now() + interval '${String(seconds)} s' FROM generate_series(1, ${String(rows)}) g`,
    );
  const expectFew = async () => expect(await countPages(db, (await startLoad(db)).position.snapshot)).toBeLessThan(20);
  await run('ALTER TABLE revocation SET (autovacuum_enabled = off)');
  await add('token', 7200);
  await expectFew();
  // Every row has expired as far as the statistics know.
  await run(`UPDATE revocation SET expires_at = now() - interval '1 day'`);
  await run('ANALYZE revocation');
  await add('grant', 7200);
  await expectFew();
  await run('ANALYZE revocation');
  await expectFew();
}
