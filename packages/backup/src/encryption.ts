/** Encryption of backups in the age format (https://age-encryption.org/v1), which the program `age` reads too. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

import { BackupError, toBackupError } from './backup-error.ts';

/** For whom a backup is encrypted. */
export type Encryption =
  | { readonly kind: 'recipients'; readonly recipients: readonly string[] }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'none' };

/** What decrypts a backup. */
export type Decryption =
  | { readonly kind: 'identities'; readonly identities: readonly string[] }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'none' };

/** A key pair: the recipient is enough to encrypt, and only the identity decrypts. */
export interface BackupKey {
  readonly identity: string;
  readonly recipient: string;
}

export async function createBackupKey(): Promise<BackupKey> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** @throws BackupError if a recipient is malformed */
export async function encrypt(source: Readable, encryption: Encryption): Promise<Readable> {
  if (encryption.kind === 'none') return source;
  const encrypter = new Encrypter();
  try {
    if (encryption.kind === 'passphrase') encrypter.setPassphrase(encryption.passphrase);
    else for (const recipient of encryption.recipients) encrypter.addRecipient(recipient);
  } catch (error) {
    throw toBackupError('key', 'A recipient is malformed', error);
  }
  return toReadable(await encrypter.encrypt(toWebStream(source)));
}

const magic = 'age-encryption.org/v1';

/** @throws BackupError if the key does not fit */
export async function decrypt(source: AsyncIterable<Buffer>, decryption: Decryption): Promise<Readable> {
  const { start, stream } = await peek(source);
  const isEncrypted = start.toString('latin1').startsWith(magic);
  if (!isEncrypted) return stream;
  if (decryption.kind === 'none') throw new BackupError('key', 'The backup is encrypted: its key is needed.');
  const decrypter = new Decrypter();
  try {
    if (decryption.kind === 'passphrase') decrypter.addPassphrase(decryption.passphrase);
    else for (const identity of decryption.identities) decrypter.addIdentity(identity);
    return toReadable(await decrypter.decrypt(toWebStream(stream)));
  } catch (error) {
    throw toBackupError('key', 'The key does not decrypt the backup', error);
  }
}

/** Reads the first bytes; `stream` has them again. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ readonly start: Buffer; readonly stream: Readable }> {
  const chunks = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < magic.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* again() {
    yield start;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { start, stream: Readable.from(again(), { objectMode: false }) };
}

// Node's types of web streams and those of the DOM, which the library uses, describe the same objects.

function toWebStream(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>; // see above
}

function toReadable(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>); // see above
}
