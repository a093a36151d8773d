import { DatabaseImpaired, DatabaseUnavailable, toDatabaseError } from './database-error.ts';
import { migrationsDirectory } from './migrations-directory.ts';
import { MigrationError, readMigrationStatus } from './migrations.ts';

/**
 * Checks the schema before a server starts that does not migrate itself.
 * @throws MigrationError if migrations are pending, or PostgreSQL is too old.
 */
export async function requireMigrations(url: string): Promise<void> {
  const { pending } = await readMigrationStatus(url, migrationsDirectory);
  if (pending.length === 0) return;
  const what = pending.length === 1 ? '1 migration is' : `${String(pending.length)} migrations are`;
  throw new MigrationError(`DATABASE_URL: ${what} not applied yet. Run "linnet migrate".`);
}

/** Returns one line for the operator if `error` means that the database cannot be used, otherwise undefined. */
export function describeDatabaseProblem(error: unknown): string | undefined {
  if (error instanceof MigrationError) return error.message;
  const translated = toDatabaseError(error);
  if (translated instanceof DatabaseImpaired) {
    return `DATABASE_URL: ${translated.message} (${messageOf(translated.cause)})`;
  }
  if (translated instanceof DatabaseUnavailable) {
    return `DATABASE_URL: the database cannot be reached (${messageOf(translated.cause)})`;
  }
  // Class 28: invalid user or password; 3D000: the database does not exist.
  const code = String(Reflect.get(Object(error), 'code'));
  return /^(28...|3D000)$/.test(code) ? `DATABASE_URL: ${messageOf(error)}` : undefined;
}

/** If a host has several addresses, a failed connection is an AggregateError without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
