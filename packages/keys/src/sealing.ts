/**
 * Encryption at rest: compact JWEs (`dir`, A256GCM) under a key derived from one of SECRET_KEYS, which the `kid` of the
 * JWE names. Each purpose has its own key, so that text sealed for one purpose cannot be used for another.
 */
import { hkdfSync } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

/** Encrypts with the first of `keys`. @throws TypeError without one. */
export async function seal(text: string, purpose: string, keys: readonly Secret[]): Promise<string> {
  const [secret] = keys;
  if (secret === undefined) throw new TypeError('nothing can be sealed without a secret key');
  return await new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: secretId(secret) })
    .encrypt(deriveKey(secret, purpose, 32));
}

/** Decrypts with the key that the JWE names; undefined if none of `keys` can. */
export async function open(jwe: string, purpose: string, keys: readonly Secret[]): Promise<string | undefined> {
  try {
    const sealedWith = decodeProtectedHeader(jwe).kid;
    const secret = keys.find((candidate) => secretId(candidate) === sealedWith);
    if (secret === undefined) return undefined;
    const { plaintext } = await compactDecrypt(jwe, deriveKey(secret, purpose, 32), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return Buffer.from(plaintext).toString();
  } catch {
    return undefined; // malformed, or tampered with
  }
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
