import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';

import { createBackup } from '@linnet/backup/backup';
import { createBackupKey, decrypt } from '@linnet/backup/encryption';
import type { Encryption } from '@linnet/backup/encryption';
import { verifyBackup } from '@linnet/backup/restore';
import { openStorages } from '@linnet/media/storage/open-storage';
import { Option } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withServer } from '../operating-database.ts';
import { createOutput, toList } from '../output.ts';
import { readBackupKeys, readDecryption } from './backup-keys.ts';
import type { DecryptionOptions } from './backup-keys.ts';
import { toContentsDocument, toContentsText, toDocument, toText } from './backup-documents.ts';
import { addCommand } from './add-command.ts';
import { collect, invoke } from './command.ts';

interface BackupCommandOptions extends DecryptionOptions {
  readonly to?: string;
  readonly verify?: string;
  readonly createKey?: string;
  readonly recipient?: readonly string[];
  readonly unencrypted?: boolean;
  readonly withSecretKeys?: boolean;
  readonly json?: boolean;
}

/** `linnet backup` */
export function addBackup(program: Command): void {
  addCommand(program, { usage: 'backup', summary: 'write the database and the media to one encrypted file' })
    .option('--to <file>', 'the file to write; - writes to standard output')
    .option('--recipient <recipient>', 'encrypt for the holder of this age key; repeatable', collect)
    .option('--passphrase-file <file>', 'encrypt, or decrypt with --verify, with the first line of this file')
    .addOption(new Option('--unencrypted', 'write tokens, addresses and password hashes in clear text'))
    .option('--with-secret-keys', 'include SECRET_KEYS, which everyone who decrypts the backup then has')
    .option('--verify <file>', 'read a backup to its end and check it, instead of writing one')
    .option('--identity <file>', 'file with the age identity that decrypts, for --verify')
    .option('--create-key <file>', 'write a new identity to this file, and print its recipient')
    .action(run);
}

async function run(options: BackupCommandOptions): Promise<void> {
  const { to, verify, createKey } = options;
  if ([to, verify, createKey].filter((one) => one !== undefined).length !== 1) {
    throw new CommandError('usage', 'Give one of --to, --verify and --create-key.');
  }
  if (createKey !== undefined) await writeKey(createKey, options);
  else if (verify !== undefined) await check(verify, options);
  else await write(to ?? '', options);
}

async function writeKey(file: string, { json }: BackupCommandOptions): Promise<void> {
  const { identity, recipient } = await createBackupKey();
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true }).catch((error: unknown) => {
    throw toFileError(file, error);
  });
  createOutput(json === true).result({ file, recipient }, toList([['recipient', recipient]]));
}

async function check(file: string, options: BackupCommandOptions): Promise<void> {
  const decryption = await readDecryption(options);
  const contents = await verifyBackup(await decrypt(createReadStream(file), decryption)).catch((error: unknown) => {
    throw toFileError(file, error);
  });
  createOutput(options.json === true).result(toContentsDocument(file, contents), toContentsText(contents));
}

async function write(to: string, options: BackupCommandOptions): Promise<void> {
  const { config } = invoke(options.json);
  const encryption = await readEncryption(options);
  const secretKeys = await readBackupKeys(config);
  await using storages = openStorages(config);
  const { storage } = storages;
  const summary = await withServer(
    config,
    async ({ directUrl }) =>
      await writeTo(
        to,
        async (output) =>
          await createBackup({
            ...{ url: directUrl, service: config.baseUrl, encryption, output, now: new Date() },
            storage,
            secretKeyIds: secretKeys.map(({ id }) => id),
            ...(options.withSecretKeys === true
              ? { secretKeys: secretKeys.map(({ key }) => key.reveal()).join(',') }
              : {}),
          }),
      ),
  );
  const document = { file: to, encrypted: encryption.kind !== 'none', ...toDocument(summary) };
  if (to === '-') process.stderr.write(`${JSON.stringify(document)}\n`);
  else createOutput(options.json === true).result(document, toText(to, summary));
}

/** @throws CommandError unless the operator has decided how to encrypt */
async function readEncryption(options: BackupCommandOptions): Promise<Encryption> {
  const { recipient: recipients = [], passphraseFile, unencrypted, withSecretKeys } = options;
  if ([recipients.length > 0, passphraseFile !== undefined, unencrypted === true].filter(Boolean).length !== 1) {
    throw new CommandError('usage', 'Give one of --recipient, --passphrase-file and --unencrypted.');
  }
  if (recipients.length > 0) return { kind: 'recipients', recipients };
  if (passphraseFile !== undefined) return { kind: 'passphrase', passphrase: await readPassphrase(passphraseFile) };
  if (withSecretKeys === true) {
    throw new CommandError(
      'usage',
      '--with-secret-keys needs encryption: a backup in clear text must not contain keys.',
    );
  }
  return { kind: 'none' };
}

async function readPassphrase(file: string): Promise<string> {
  const decryption = await readDecryption({ passphraseFile: file });
  if (decryption.kind !== 'passphrase') throw new TypeError('a file with a passphrase gives a passphrase');
  return decryption.passphrase;
}

/** Writes `FILE.partial`, syncs it, and gives it its name when it is complete. */
export async function writeTo<Result>(to: string, work: (output: Writable) => Promise<Result>): Promise<Result> {
  if (to === '-') return await work(process.stdout);
  const draft = `${to}.partial`;
  try {
    await requireAbsent(to);
    const result = await work(createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, to);
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw toFileError(to, error);
  }
}

async function requireAbsent(file: string): Promise<void> {
  const isPresent = await stat(file).then(
    () => true,
    () => false,
  );
  if (isPresent) throw new CommandError('backup-file', `The file ${JSON.stringify(file)} exists. Choose another name.`);
}

/** Errors of the file system name the file; others stay as they are. */
export function toFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && !('severity' in error))) return error;
  return new CommandError('backup-file', `The file ${JSON.stringify(file)} cannot be used (${error.message}).`, {
    cause: error,
  });
}
