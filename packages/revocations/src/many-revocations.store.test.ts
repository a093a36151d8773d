import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { createRevocationFeed } from './feed.ts';

/**
 * What a process needs until it knows all revocations. `pnpm test:long` has 2,000,000 of them. The limits are of CPU time
 * and memory, so that they hold on a busy machine.
 */
const rows = inject('revocations');
const maxCpuMs = 10_000;
const maxBytes = 250 * 2 ** 20;

test(
  `a process is ready with ${String(rows)} revocations after 10 s of CPU time, in 250 MB`,
  { timeout: 600_000 },
  async () => {
    await using database = await createTestDatabase(inject('databaseServer'));
    await database.db.prisma.$executeRawUnsafe('ALTER TABLE revocation SET (autovacuum_enabled = off)');
    for (let from = 1; from <= rows; from += 20_000) {
      await database.db.prisma.$executeRawUnsafe(
        `INSERT INTO revocation (kind, id, expires_at)
       SELECT 'token', 'token-' || g, now() + interval '1 hour' FROM generate_series(${String(from)}, ${String(from + 19_999)}) g`,
      );
    }
    await using own = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const before = { cpu: process.cpuUsage(), memory: process.memoryUsage().rss };
    await using feed = createRevocationFeed({ db: own, onError: () => undefined });
    // A caller waits for at most a second; the service asks until it is ready.
    const isReady = async () =>
      await feed.ready().then(
        () => true,
        () => false,
      );
    await expect.poll(isReady, { timeout: 300_000 }).toBe(true);
    const { user, system } = process.cpuUsage(before.cpu);
    expect((user + system) / 1000).toBeLessThan(maxCpuMs);
    expect(process.memoryUsage().rss - before.memory).toBeLessThan(maxBytes);
    const token = { client_id: 'abcdefghijklmnop', ce: 0, ge: 0, ae: 0, gid: undefined, acct: undefined, kid: 'key' };
    const isRevoked = async (jti: string) => await feed.isRevoked({ ...token, jti });
    for (const index of [1, rows / 2, rows]) expect(await isRevoked(`token-${String(index)}`)).toBe(true);
    expect(await isRevoked(`token-${String(rows + 1)}`)).toBe(false);
  },
);
