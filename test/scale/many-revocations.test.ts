import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { expect, inject, test } from 'vitest';

import { readMemory } from '../chaos/memory.ts';
import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { findProcesses } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/**
 * What revocations cost a host with two workers, for `pnpm test:long`. One process: `packages/revocations/src/many-revocations.store.test.ts`,
 * which the usual run has. Limits are of CPU time, so that they hold on a busy machine.
 */
const isLong = process.env['SCALE_POSTS'] !== undefined;
const timeout = 600_000;
const workers = 2;
const live = 2_000_000;
/** Ten seconds of two cores. */
const maxCpuSeconds = 20;
const maxBytes = 250 * 2 ** 20;
const sinceTransaction = 100_000;
const measuredSeconds = 20;
const maxCores = 0.05;
/** Often enough that no worker rests (`packages/revocations/src/feed.ts`). */
const requestEveryMs = 500;
const secretKeys = 'a secret of forty characters or somewhat more';
/** In /proc, CPU time is in hundredths of a second. */
const ticks = 100;

async function readCpuSeconds(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(
    pids.map(async (pid) => await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')),
  );
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticks;
  }, 0);
}

async function findHost({ dataDir }: Service): Promise<readonly number[]> {
  return (await findProcesses(dataDir)).map(({ pid }) => pid);
}

/** The processes of PostgreSQL that work for the database. */
async function findBackends({ prisma }: Db): Promise<readonly number[]> {
  const rows = await prisma.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  return rows.map(({ pid }) => pid);
}

/** Cores that the service and its database use in `measuredSeconds`, while `work` is done every half a second. */
async function measureCores(service: Service, db: Db, work: () => Promise<void>): Promise<number> {
  const pids = [...(await findHost(service)), ...(await findBackends(db))];
  const before = await readCpuSeconds(pids);
  for (let done = 0; done < (measuredSeconds * 1000) / requestEveryMs; done += 1) {
    await work();
    await delay(requestEveryMs);
  }
  return ((await readCpuSeconds(pids)) - before) / measuredSeconds;
}

async function addRevocations({ prisma }: Db, count: number, prefix: string): Promise<void> {
  for (let from = 1; from <= count; from += 20_000) {
    await prisma.$executeRawUnsafe(
      `INSERT INTO revocation (kind, id, expires_at) SELECT 'token', '${prefix}-' || g, now() + interval '2 hours'
       FROM generate_series(${String(from)}, ${String(Math.min(count, from + 19_999))}) g`,
    );
  }
}

/** A service that has just become ready: with the work of its database, and without its memory. */
async function measureStart({ url, db }: TestDatabase): Promise<Record<'seconds' | 'cpu' | 'bytes', number>> {
  await using service = await startService({
    env: { DATABASE_URL: url, SECRET_KEYS: secretKeys, WORKERS: String(workers) },
  });
  const pids = await findHost(service);
  const bytes = (await readMemory(pids)) * 1024;
  const cpu = await readCpuSeconds([...pids, ...(await findBackends(db))]);
  return { seconds: service.readyAfterMs / 1000, cpu, bytes };
}

test.runIf(isLong)(
  'a host is ready with 2,000,000 revocations after 10 s more of two cores, in 250 MB more',
  { timeout },
  async () => {
    await using database = await createTestDatabase(inject('databaseServer'));
    await database.db.prisma.$executeRawUnsafe('ALTER TABLE revocation SET (autovacuum_enabled = off)');
    await measureStart(database); // creates the keys
    const without = await measureStart(database);
    await addRevocations(database.db, live, 'token');
    const measured = await measureStart(database);
    const text = `\n${String(workers)} workers, without and with ${String(live)} revocations: ${JSON.stringify([without, measured])}\n`;
    process.stdout.write(text);
    expect(measured.cpu - without.cpu, text).toBeLessThan(maxCpuSeconds);
    expect(measured.bytes - without.bytes, text).toBeLessThan(maxBytes);
  },
);

test.runIf(isLong)(
  '100,000 revocations behind a transaction of another database cost 5 % of a core, and no 503',
  { timeout },
  async () => {
    await using database = await createTestDatabase(inject('databaseServer'));
    await using other = await createTestDatabase(inject('databaseServer'));
    await using service = await startService({ env: { DATABASE_URL: database.url, WORKERS: String(workers) } });
    const client = await createClient(service.env, 'ada_lovelace');
    const call = createApiCaller(service.baseUrl, (await requestToken(service.baseUrl, client)).body.access_token);
    const statuses: number[] = [];
    const send = async () => void statuses.push((await call('GET /users/show')).status);
    const rest = async () => await Promise.resolve();
    await other.db.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
        const before = await measureCores(service, database.db, send);
        await addRevocations(database.db, sinceTransaction, 'later');
        await delay(2000); // They are read once.
        const behind = await measureCores(service, database.db, send);
        const idle = await measureCores(service, database.db, rest);
        const percent = [before, behind, idle].map((cores) => `${(cores * 100).toFixed(1)} %`).join(', ');
        process.stdout.write(`\nof a core, before, with the revocations, and without requests: ${percent}\n`);
        expect(new Set(statuses)).toEqual(new Set([200]));
        expect(behind - before).toBeLessThan(maxCores);
        expect(idle).toBeLessThan(maxCores);
      },
      { timeout },
    );
  },
);
