import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decrypt } from '@linnet/backup/encryption';
import { restoreBackup } from '@linnet/backup/restore';
import type { BackupContents } from '@linnet/backup/restore';
import type { BackupHeader } from '@linnet/backup/format';
import { migrationsDirectory } from '@linnet/db/migration/migrations';
import { openStorages } from '@linnet/media/storage/open-storage';
import type { Command } from 'commander';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { claimInstance } from '../instance/instance-lock.ts';
import { withServer } from '../operating-database.ts';
import { readBackupKeys, readDecryption, toContentsDocument, toContentsText } from './backup.ts';
import type { DecryptionOptions } from './backup.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

interface RestoreCommandOptions extends DecryptionOptions {
  readonly from: string;
  readonly json?: boolean;
}

/** `linnet restore` */
export function addRestore(program: Command): void {
  addCommand(program, {
    usage: 'restore',
    summary: 'restore a backup into an empty database; the service must be stopped',
  })
    .requiredOption('--from <file>', 'a file of "linnet backup"; - reads standard input')
    .option('--identity <file>', 'file with the age identity that decrypts the backup')
    .option('--passphrase-file <file>', 'decrypt with the first line of this file')
    .action(run);
}

async function run(options: RestoreCommandOptions): Promise<void> {
  const { from } = options;
  const { config, output } = invoke(options.json);
  const decryption = await readDecryption(options);
  await using _instance = await claimInstance(config.dataDir);
  if (from !== '-') await requireFile(from);
  const source = await decrypt(from === '-' ? process.stdin : createReadStream(from), decryption);
  const contents = await restoreInto(config, source);
  output.result(toContentsDocument(from, contents), toContentsText(contents));
}

async function requireFile(file: string): Promise<void> {
  await stat(file).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('backup-file', `The backup cannot be read (${reason}).`, { cause: error });
  });
}

async function restoreInto(config: Config, source: Awaited<ReturnType<typeof decrypt>>): Promise<BackupContents> {
  await using storages = openStorages(config);
  const { storage } = storages;
  return await withServer(
    config,
    async ({ directUrl }) =>
      await restoreBackup({
        ...{ source, url: directUrl, migrations: migrationsDirectory },
        storage,
        accept: async (header) => await requireKeys(config, header),
        onSecretKeys: async (text) => {
          if (!(await hasKeys(config))) await writeSecretKeys(config.dataDir, text);
        },
      }),
  );
}

/** Without its keys, a restored service could not read its signing keys, nor sessions and authenticator apps. */
async function requireKeys(config: Config, { secretKeys, containsSecretKeys }: BackupHeader): Promise<void> {
  const isEmpty = !(await hasKeys(config));
  if (isEmpty && containsSecretKeys) return;
  const present = isEmpty ? new Set() : new Set((await readBackupKeys(config)).map(({ id }) => id));
  const missing = secretKeys.filter((id) => !present.has(id));
  if (missing.length === 0) return;
  throw new CommandError(
    'secret-keys',
    `The backup needs keys that are not in SECRET_KEYS or DATA_DIR/secret-keys (${missing.join(', ')}). Provide the SECRET_KEYS of the service that made it.`,
  );
}

async function hasKeys({ secretKeys, dataDir }: Config): Promise<boolean> {
  return secretKeys !== undefined || (await isFile(join(dataDir, 'secret-keys')));
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function writeSecretKeys(dataDir: string, text: string): Promise<void> {
  await writeFile(join(dataDir, 'secret-keys'), `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
}
