import { DatabaseUnavailable, toDatabaseError } from './database-error.ts';
import { migrationsDirectory } from './migrations-directory.ts';
import { MigrationError, readMigrationStatus } from './migrations.ts';

/**
 * For servers that are started apart from the migrations.
 * @throws MigrationError for a server or tables older than this program.
 */
export async function requireMigrations(url: string): Promise<void> {
  const { pending } = await readMigrationStatus(url, migrationsDirectory);
  if (pending.length === 0) return;
  const count = String(pending.length);
  throw new MigrationError(`DATABASE_URL: ${count} migrations are not applied yet. Run "linnet migrate" first.`);
}

/** One line for an operator when `error` tells that the database cannot be used; otherwise undefined. */
export function describeDatabaseProblem(error: unknown): string | undefined {
  if (error instanceof MigrationError) return error.message;
  const translated = toDatabaseError(error);
  if (translated instanceof DatabaseUnavailable) {
    return `DATABASE_URL: the database cannot be reached (${messageOf(translated.cause)})`;
  }
  // Class 28: the user or password is refused; 3D000: there is no such database.
  const code = String(Reflect.get(Object(error), 'code'));
  return /^(28...|3D000)$/.test(code) ? `DATABASE_URL: ${messageOf(error)}` : undefined;
}

/** Connecting to a host of several addresses fails with an error that has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
