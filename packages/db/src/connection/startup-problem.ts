import pg from 'pg';

import { openDatabase } from '../database.ts';
import type { DatabaseOptions } from '../database.ts';
import { DatabaseImpaired, DatabaseUnavailable } from './database-error.ts';
import { migrationsDirectory, readMigrationStatus } from '../migration/migrations.ts';
import { MigrationError } from '../migration/migration-error.ts';
import { WrongTimeZone, choosePoolSize } from './pool-size.ts';

interface ServerOptions extends DatabaseSessionOptions {
  readonly url: string;
  /** For the check of the migrations, because `url` may be a pooler. */
  readonly directUrl: string;
  /** Undefined: an equal share of what the server allows. */
  readonly poolSize: number | undefined;
  /** How many processes share the server. */
  readonly workers: number;
  /** The version of this server. */
  readonly release: string;
}

type DatabaseSessionOptions = Pick<DatabaseOptions, 'prepare' | 'startupOptions'>;

/**
 * Checks schema and sessions before a server starts that does not migrate itself. Returns the number of connections that
 * it may have.
 * @throws MigrationError, WrongTimeZone
 */
export async function requireServer(options: ServerOptions): Promise<number> {
  const { url, directUrl, poolSize, workers, release, ...sessions } = options;
  await requireMigrations(directUrl, release);
  await using db = openDatabase({ url, poolSize: 1, ...sessions });
  const share = await choosePoolSize(db, workers);
  return poolSize ?? share;
}

/**
 * Checks the schema before a server of the version `release` starts that does not migrate itself.
 * @throws MigrationError if migrations are pending that it needs, or PostgreSQL is too old.
 */
export async function requireMigrations(url: string, release: string): Promise<void> {
  const { pending } = await readMigrationStatus(url, migrationsDirectory, release);
  if (pending.length === 0) return;
  const what = pending.length === 1 ? '1 migration is' : `${String(pending.length)} migrations are`;
  throw new MigrationError(`DATABASE_URL: ${what} not applied yet. Run "linnet migrate".`);
}

/** Returns one line for the operator if `error` means that the database cannot be used, otherwise undefined. */
export function describeDatabaseProblem(error: unknown): string | undefined {
  if (error instanceof MigrationError || error instanceof WrongTimeZone) return error.message;
  if (error instanceof DatabaseImpaired) return `DATABASE_URL: ${error.message} (${messageOf(error.cause)})`;
  if (error instanceof DatabaseUnavailable) {
    return `DATABASE_URL: the database cannot be reached (${messageOf(error.cause)})${hintFor(error.cause)}`;
  }
  // Class 28: invalid user or password; 3D000: the database does not exist.
  return error instanceof pg.DatabaseError && /^(28...|3D000)$/.test(error.code ?? '')
    ? `DATABASE_URL: ${messageOf(error)}`
    : undefined;
}

/** 08P01, protocol_violation: what PgBouncer says about start-up options. */
function hintFor(error: unknown): string {
  return error instanceof pg.DatabaseError && error.code === '08P01'
    ? '. If it is a pooler, set DATABASE_STARTUP_OPTIONS=off, and DATABASE_DIRECT_URL for the migrations.'
    : '';
}

/** If a host has several addresses, a failed connection is an AggregateError without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
