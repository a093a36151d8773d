import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { searchStatements } from './audit-search-store.ts';

const rows = 30_000;

/** Pages that a search without matches reads, by the generic plan that a prepared statement has. */
async function countPages(db: Db, name: string, values: string): Promise<number> {
  const text = searchStatements[name as keyof typeof searchStatements].text;
  return await db.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL plan_cache_mode = force_generic_plan');
    await tx.$executeRawUnsafe(`PREPARE search (text, text, bigint, text, text, bigint, bigint, int) AS ${text}`);
    const [explained] = await tx.$queryRawUnsafe<Record<string, [{ Plan: Record<string, number> }]>[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE search (${values}, 0, 9007199254740991, 51)`,
    );
    await tx.$executeRawUnsafe('DEALLOCATE search');
    const plan = Object.values(explained ?? {})[0]?.[0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  });
}

test('searches read by an index, and at most 10,000 events', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const { db } = database;
  await db.prisma.$executeRawUnsafe(
    `INSERT INTO audit_event (event, actor, account_id, client_id)
     SELECT 'test.event_' || chr(97 + g % 20), 'person', g % 100, 'client-' || g % 100 FROM generate_series(1, ${String(rows)}) g`,
  );
  await db.prisma.$executeRawUnsafe('VACUUM ANALYZE audit_event');
  expect(await countPages(db, 'account', 'NULL, NULL, 1000, NULL, NULL')).toBeLessThan(20);
  expect(await countPages(db, 'application', `NULL, NULL, NULL, 'nobody', NULL`)).toBeLessThan(20);
  expect(await countPages(db, 'operators', `NULL, 'operator', NULL, NULL, NULL`)).toBeLessThan(20);
  expect(await countPages(db, 'event', `'account.suspended', NULL, NULL, NULL, NULL`)).toBeLessThan(20);
  // Every event would match the index; a third of them is read.
  const wholePages = await db.prisma.$queryRaw<{ pages: number }[]>`
    SELECT (pg_relation_size('audit_event') / 8192)::int AS pages`;
  const whole = wholePages[0]?.pages ?? 0;
  expect(whole).toBeGreaterThan(200);
  expect(await countPages(db, 'time', `NULL, 'unknown', NULL, NULL, NULL`)).toBeLessThan(whole / 2 + 100);
});
