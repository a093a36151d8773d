/**
 * Texts that only this service can read: compact JWEs (`dir`, A256GCM) under a key that is derived from one
 * of SECRET_KEYS; the JWE's `kid` tells which one. Each purpose has a key of its own, so that what was sealed
 * for one is never taken for another.
 */
import { hkdfSync } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

/** Encrypts with the first of `keys`. @throws TypeError without one. */
export async function seal(text: string, purpose: string, keys: readonly Secret[]): Promise<string> {
  const [secret] = keys;
  if (secret === undefined) throw new TypeError('nothing can be sealed without a secret key');
  return await new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: secretId(secret) })
    .encrypt(deriveKey(secret, purpose, 32));
}

/** Decrypts with the key that the JWE names; undefined when none of `keys` opens it. */
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
    return undefined; // whatever a stranger sends us instead
  }
}

/** Whether `seal` would encrypt with the same key. */
export function isSealedWithFirst(jwe: string, [secret]: readonly Secret[]): boolean {
  return secret !== undefined && decodeProtectedHeader(jwe).kid === secretId(secret);
}

/** Names a secret without telling anything about it. */
function secretId(secret: Secret): string {
  return Buffer.from(deriveKey(secret, 'linnet secret key id', 9)).toString('base64url');
}

/** HKDF-SHA256 (RFC 5869): each purpose gets a key of its own. */
export function deriveKey(secret: Secret, purpose: string, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret.reveal(), '', purpose, bytes));
}
