import { AccountTaken } from '@linnet/accounts/account';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { ApiRefused } from '@linnet/applications/apis/api-settings';
import { BackupError } from '@linnet/backup/backup-error';
import { DeclarationsRefused } from '@linnet/applications/declared/plan';
import { ApplicationRefused } from '@linnet/applications/application/application';
import { SecretKeysChanged } from '@linnet/keys/signing-key';
import { EmbeddedPostgresError } from '@linnet/db/embedded/embedded-postgres';
import { RestoreRefused } from '@linnet/db/backup/restoration';
import { MigrationError } from '@linnet/db/migration/migration-error';
import { WrongTimeZone } from '@linnet/db/connection/pool-size';
import { describeDatabaseProblem } from '@linnet/db/connection/startup-problem';
import { StorageFailed, StorageUnavailable } from '@linnet/media/storage/media-storage';
import { ConfigurationError } from '@linnet/service/config/configuration-error';
import { createLogger } from '@linnet/service/log/logger';
import { CommanderError } from 'commander';

import { CommandError } from './failure.ts';
import { paint } from './output.ts';

/** Prints why a command failed: as JSON on stdout, or as text on stderr. Logs unexpected errors with their stack. */
export function reportFailure(error: unknown, json: boolean): void {
  const { code, message, isUnexpected } = describeFailure(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  else process.stderr.write(`${message.replace(/^/gm, paint(process.stderr, 'red', 'linnet: '))}\n`);
  if (isUnexpected) logUnexpected(error);
}

/** A bug: logs its stack. */
export function logUnexpected(error: unknown): void {
  const logger = createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' });
  logger.error({ err: error }, 'command failed');
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** A bug: log the stack. */
  readonly isUnexpected: boolean;
}

/** Describes anything that a command threw. */
export function describeFailure(error: unknown): Failure {
  const known = describeKnown(error);
  if (known !== undefined) return { ...known, isUnexpected: false };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), isUnexpected: true };
}

/** Errors whose message is for the operator. */
const codes = [
  [ConfigurationError, 'configuration'],
  [DeclarationsRefused, 'invalid-declarations'],
  [SecretKeysChanged, 'secret-keys'],
  [WrongTimeZone, 'database-time-zone'],
  [EmbeddedPostgresError, 'embedded-postgres'],
] as const;

function describeKnown(error: unknown): Omit<Failure, 'isUnexpected'> | undefined {
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  if (error instanceof MigrationError) return { code: error.code, message: error.message };
  if (error instanceof CommanderError) return { code: 'usage', message: error.message.replace(/^error: /, '') };
  const refused = describeAccountProblem(error) ?? describeSettingProblem(error) ?? describeBackupProblem(error);
  if (refused !== undefined) return refused;
  const described = codes.find(([kind]) => error instanceof kind);
  if (described !== undefined && error instanceof Error) return { code: described[1], message: error.message };
  const message = describeDatabaseProblem(error);
  return message === undefined ? undefined : { code: 'database-unavailable', message };
}

function describeAccountProblem(error: unknown): Omit<Failure, 'isUnexpected'> | undefined {
  if (error instanceof AccountTaken) return describeTaken(error);
  if (error instanceof NameRefused) return { code: 'name-not-allowed', message: `The name ${error.message}.` };
  return undefined;
}

function describeBackupProblem(error: unknown): Omit<Failure, 'isUnexpected'> | undefined {
  if (error instanceof StorageUnavailable || error instanceof StorageFailed) {
    return { code: 'media-store', message: `The media store cannot be used: ${error.message}.` };
  }
  if (error instanceof RestoreRefused) return { code: error.reason, message: error.message };
  return error instanceof BackupError ? { code: `backup-${error.reason}`, message: error.message } : undefined;
}

function describeSettingProblem(error: unknown): Omit<Failure, 'isUnexpected'> | undefined {
  if (!(error instanceof ApplicationRefused) && !(error instanceof ApiRefused)) return undefined;
  return { code: `invalid-${error.problem.field}`, message: error.message };
}

function describeTaken({ fields }: AccountTaken): Omit<Failure, 'isUnexpected'> {
  const messages = {
    email: 'The e-mail address belongs to another account.',
    username: 'The username is taken or reserved. Choose another one.',
  };
  const [first] = fields;
  if (first === undefined) throw new TypeError('AccountTaken without a field');
  return { code: `${first}-taken`, message: fields.map((field) => messages[field]).join('\n') };
}
