import { hash } from 'node:crypto';

import { openDatabase } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { findArtifact } from './artifact-store.ts';

test('many tokens that are looked for at once are found by their index, and not by reading all tokens', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const {
    url,
    db: { prisma },
  } = database;
  await prisma.$executeRaw`INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at)
    SELECT 'RefreshToken', sha256(n::text::bytea), jsonb_build_object('filler', repeat('x', 900)), now() + interval '1 day'
      FROM generate_series(1, 240) n`;
  // As after a quiet night. The plan stays while the table grows.
  await prisma.$executeRaw`ANALYZE`;
  const sent: string[] = [];
  await using db = openDatabase({ url, poolSize: 1, prepare: true, onStatement: (text) => void sent.push(text) });
  const ids = Array.from({ length: 32 }, (_, index) => hash('sha256', String(index), 'buffer'));
  await Promise.all(ids.map(async (id) => await findArtifact(db, 'RefreshToken', id)));
  const explain = statement<readonly [kinds: readonly string[], ids: readonly Buffer[]], Record<'QUERY PLAN', string>>(
    'test_explain',
    `EXPLAIN ${String(sent[0])}`,
  );
  const plan = (await db.query(explain, [ids.map(() => 'RefreshToken'), ids])).map((line) => line['QUERY PLAN']);
  expect(plan.filter((line) => line.includes('Seq Scan on oauth_artifact'))).toEqual([]);
});
