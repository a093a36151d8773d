import { createBackup } from '@linnet/backup/backup';
import type { BackupSummary } from '@linnet/backup/backup';
import { createBackupKey, decrypt } from '@linnet/backup/encryption';
import type { Decryption, Encryption } from '@linnet/backup/encryption';
import { verifyBackup } from '@linnet/backup/restore';
import type { BackupContents } from '@linnet/backup/restore';
import { deriveKey } from '@linnet/keys/sealing';
import { openStorages } from '@linnet/media/storage/open-storage';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { Secret } from '@linnet/service/config/secret';
import { Option } from 'commander';
import type { Command } from 'commander';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withServer } from '../operating-database.ts';
import { createOutput, toList } from '../output.ts';
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

/** For `--json` of `backup --to`. */
export function toDocument({ sha256, bytes, created, rows, media, secretKeys }: BackupSummary) {
  return { sha256, bytes, created, rows: totalOf(rows), media, secret_keys: secretKeys };
}

/** The same for people. */
export function toText(file: string, { sha256, bytes, rows, media }: BackupSummary): string {
  return toList([
    ['backup', file],
    ['SHA-256', sha256],
    ['size', `${String(bytes)} bytes`],
    ['rows', String(totalOf(rows))],
    ['media', toMediaText(media)],
  ]);
}

function totalOf(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function toMediaText({ files, bytes, missing }: BackupSummary['media']): string {
  const text = `${String(files)} files, ${String(bytes)} bytes`;
  return missing === 0 ? text : `${text}; files of ${String(missing)} records were missing`;
}

/** For `--json` of `backup --verify` and `restore`. */
export function toContentsDocument(file: string, { header, trailer }: BackupContents) {
  const { created, service, secretKeys, database } = header;
  return {
    ...{ ok: true, file, created, service },
    postgres: database.version,
    migrations: database.migrations.length,
    rows: totalOf(trailer.rows),
    media: trailer.media,
    secret_keys: secretKeys,
  };
}

/** The same for people. */
export function toContentsText({ header, trailer }: BackupContents): string {
  return toList([
    ['created', header.created],
    ['service', header.service],
    ['rows', String(totalOf(trailer.rows))],
    ['media', toMediaText(trailer.media)],
    ['SECRET_KEYS', header.secretKeys.join(', ')],
  ]);
}

export interface DecryptionOptions {
  readonly identity?: string;
  readonly passphraseFile?: string;
}

/** Reads the key for a backup from a file with age identities, or with a passphrase. @throws CommandError */
export async function readDecryption({ identity, passphraseFile }: DecryptionOptions): Promise<Decryption> {
  if (identity !== undefined) {
    const lines = (await readKeyFile(identity)).split('\n').map((line) => line.trim());
    return { kind: 'identities', identities: lines.filter((line) => line !== '' && !line.startsWith('#')) };
  }
  if (passphraseFile === undefined) return { kind: 'none' };
  const [passphrase = ''] = (await readKeyFile(passphraseFile)).split(/\r?\n/);
  if (passphrase === '') throw new CommandError('backup-key', `The first line of ${passphraseFile} is empty.`);
  return { kind: 'passphrase', passphrase };
}

async function readKeyFile(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('backup-key', `The key cannot be read (${reason}).`, { cause: error });
  });
}

/** One of SECRET_KEYS, and its id in backups. */
interface BackupKey {
  readonly id: string;
  readonly key: Secret;
}

/** SECRET_KEYS, or those of DATA_DIR, which are created if there are none. */
export async function readBackupKeys(config: Config): Promise<readonly BackupKey[]> {
  const keys = await resolveSecretKeys(config);
  return keys.map((key) => ({ id: Buffer.from(deriveKey(key, 'linnet backup key id', 9)).toString('base64url'), key }));
}
