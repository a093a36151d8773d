import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

import { openDatabase } from '@linnet/db/database';
import { DatabaseUnavailable, toDatabaseError } from '@linnet/db/database-error';
import { MigrationError, readMigrationStatus } from '@linnet/db/migrations';
import { ConfigurationError } from '@linnet/service/configuration-error';
import { serve } from '@linnet/service/http-server';
import { createLogger } from '@linnet/service/logger';
import type { Secret } from '@linnet/service/secret';
import { loadSecretKeys } from '@linnet/service/secret-keys';

import { createAuthApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { SecretKeysChanged, ensureSigningKeys } from './keys/key-ring.ts';

const drainDeadlineMs = 8000;
const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** The authorization server as a process of its own: serves until SIGTERM or SIGINT, then drains. */
async function main(): Promise<void> {
  const { app: config, database, dataDir, host, port, logLevel } = readAuthConfig();
  await requireMigrations(database.url);
  const secretKeys = config.secretKeys.length > 0 ? config.secretKeys : await loadSecretKeys(dataDir);
  const logger = createLogger({ level: logLevel, pretty: process.stdout.isTTY });
  await using db = openDatabase({
    url: database.url.reveal(),
    poolSize: database.poolSize,
    prepare: database.prepare,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  const signalled = nextSignal(); // before anybody is told that the server listens
  await ensureSigningKeys(db, secretKeys);
  const app = await createAuthApp({ config: { ...config, secretKeys }, db, logger });
  const server = await serve({ ...app, host, port, logger });
  logger.info({ port: server.port, baseUrl: config.baseUrl }, 'authorization server is listening');
  logger.info({ signal: await signalled }, 'draining');
  await server.drain(drainDeadlineMs);
}

/** @throws MigrationError for a server or tables older than this program. */
async function requireMigrations(url: Secret): Promise<void> {
  const { pending } = await readMigrationStatus(url.reveal(), migrations);
  if (pending.length === 0) return;
  throw new MigrationError(
    `DATABASE_URL: ${String(pending.length)} migrations are not applied yet. Run "linnet migrate" first.`,
  );
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal));
  return promise;
}

/** One line for what an operator can mend; a stack is for faults of ours. */
function explain(error: unknown): string {
  const isToldAlready = [ConfigurationError, SecretKeysChanged, MigrationError].some((kind) => error instanceof kind);
  if (isToldAlready) return messageOf(error);
  const translated = toDatabaseError(error);
  if (translated instanceof DatabaseUnavailable) {
    return `DATABASE_URL: the database cannot be reached (${messageOf(translated.cause)})`;
  }
  // Class 28: the user or password is refused; 3D000: there is no such database.
  if (/^(28...|3D000)$/.test(String(Reflect.get(Object(error), 'code')))) return `DATABASE_URL: ${messageOf(error)}`;
  return Reflect.get(Object(error), 'syscall') === 'listen' ? `HOST, PORT: ${messageOf(error)}` : inspect(error);
}

/** Connecting to a host of several addresses fails with an error that has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${explain(error)}\n`);
}
