import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { DatabaseUnavailable, toDatabaseError } from '../connection/database-error.ts';
import { findConcurrentIndex, inTransaction, prepareConcurrentIndex } from './concurrent-index.ts';
import type { Migration } from './files.ts';
import { MigrationError } from './migration-error.ts';
import { finishStatement, isAtomic, recordFailure, recordStart } from './records.ts';

/**
 * How long a script may wait for a lock. Requests queue behind it, and wait at most 1.5 s themselves (`lock_timeout` of the
 * service), so it gives up before they do and tries again.
 */
export const lockTimeoutMs = 500;
const maxWaitMs = 600_000;
const maxPauseMs = 2000;
/** lock_not_available, deadlock_detected. */
const waitedForLock = new Set(['55P03', '40P01']);

interface Application {
  /** Whether nobody uses the database yet. */
  readonly isNew: boolean;
}

/**
 * Applies a migration and records it.
 * @throws MigrationError if it fails; it is recorded as failed, and blocks later runs. The error of the database if that has a
 * problem, such as a full disk or a lock that is never free.
 */
export async function applyMigration(client: pg.Client, migration: Migration, { isNew }: Application): Promise<void> {
  const sql = isNew ? inTransaction(migration.sql) : migration.sql;
  const id = await recordStart(client, migration);
  try {
    if (isAtomic(sql)) await runScript(client, `${sql}\n;${finishStatement(id)}`);
    else await runAlone(client, sql, id);
  } catch (error) {
    // Nothing is wrong with the script, which was rolled back: the next run applies it.
    if (isAtomic(sql) && toDatabaseError(error) instanceof DatabaseUnavailable) throw error;
    const logs = error instanceof Error ? error.message : String(error);
    await recordFailure(client, id, logs);
    throw new MigrationError(`Migration ${migration.name} failed: ${logs}`, { cause: error });
  }
}

/** Runs a script as one transaction. If a lock is held by others, it is rolled back and runs again. */
async function runScript(client: pg.Client, script: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await client.query(`SET lock_timeout = ${String(lockTimeoutMs)}`);
      await client.query(script);
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error;
      await delay(pauseMs);
    } finally {
      await client.query('RESET lock_timeout').catch(() => undefined);
    }
  }
}

/** Whether a transaction failed because others held a lock: it may succeed when it is repeated. */
export function isLockConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && waitedForLock.has(error.code ?? '');
}

/** Runs a statement that cannot be part of a transaction. It waits for transactions of others as long as they take. */
async function runAlone(client: pg.Client, sql: string, id: string): Promise<void> {
  const index = findConcurrentIndex(sql);
  if (index === undefined || (await prepareConcurrentIndex(client, index))) await client.query(sql);
  await client.query(finishStatement(id));
}
