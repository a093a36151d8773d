/**
 * Encryption at rest: compact JWEs (`dir`, A256GCM) under a key derived from one of SECRET_KEYS, which the `kid` of the
 * JWE names. Each purpose has its own key, so that text sealed for one purpose cannot be used for another. Texts are short:
 * `node:crypto` seals them in a quarter of the time that WebCrypto takes to reach another thread.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import { decodeProtectedHeader } from 'jose';

const encode = (content: Buffer) => content.toString('base64url');

/** Encrypts with the first of `keys`. @throws TypeError without one. */
export function seal(text: string, purpose: string, keys: readonly Secret[]): string {
  const [secret] = keys;
  if (secret === undefined) throw new TypeError('nothing can be sealed without a secret key');
  const header = encode(Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: secretId(secret) })));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose, 32), iv).setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${header}..${encode(iv)}.${encode(ciphertext)}.${encode(cipher.getAuthTag())}`;
}

/** Decrypts with the key that the JWE names, or with the only one; undefined if none of `keys` can. */
export function open(jwe: string, purpose: string, keys: readonly Secret[]): string | undefined {
  try {
    const secret = keys.length === 1 ? keys[0] : findKey(jwe, keys);
    if (secret === undefined) return undefined;
    const [header = '', encryptedKey, ...parts] = jwe.split('.');
    const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (encryptedKey !== '' || iv === undefined || ciphertext === undefined || tag === undefined) return undefined;
    if (parts.length > 3) return undefined;
    // Without the length, a tag of four bytes would do.
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, purpose, 32), iv, { authTagLength: 16 });
    // The header, with its algorithms, is authenticated too.
    decipher.setAAD(Buffer.from(header)).setAuthTag(tag);
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined; // malformed, or tampered with
  }
}

function findKey(jwe: string, keys: readonly Secret[]): Secret | undefined {
  const sealedWith = decodeProtectedHeader(jwe).kid;
  return keys.find((candidate) => secretId(candidate) === sealedWith);
}

/** True if `seal` would use the same key. */
export function isSealedWithFirst(jwe: string, [secret]: readonly Secret[]): boolean {
  return secret !== undefined && decodeProtectedHeader(jwe).kid === secretId(secret);
}

/** Identifies a secret without revealing it. */
function secretId(secret: Secret): string {
  return Buffer.from(deriveKey(secret, 'linnet secret key id', 9)).toString('base64url');
}

/** HKDF-SHA256 (RFC 5869), one key per purpose. */
export function deriveKey(secret: Secret, purpose: string, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret.reveal(), '', purpose, bytes));
}
