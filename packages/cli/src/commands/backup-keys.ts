import { readFile } from 'node:fs/promises';

import type { Decryption } from '@linnet/backup/encryption';
import { deriveKey } from '@linnet/keys/sealing';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { Secret } from '@linnet/service/config/secret';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';

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
