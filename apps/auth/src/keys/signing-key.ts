/**
 * One ES256 signing key: made, sealed for the database, opened again. A private key leaves this
 * process only as a compact JWE (`dir`, A256GCM) under a key derived from one of SECRET_KEYS; the
 * JWE's `kid` tells which one.
 */
import { hkdfSync } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';
import {
  CompactEncrypt,
  calculateJwkThumbprint,
  compactDecrypt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
} from 'jose';
import { z } from 'zod';

export const signingAlgorithm = 'ES256';

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  /** RFC 7638 thumbprint. */
  kid: z.string(),
  alg: z.literal(signingAlgorithm),
  use: z.literal('sig'),
});
const privateJwkSchema = publicJwkSchema.extend({ d: z.string() });

export type PublicJwk = Readonly<z.infer<typeof publicJwkSchema>>;
export type PrivateJwk = Readonly<z.infer<typeof privateJwkSchema>>;

/** No key of SECRET_KEYS opens a signing key of the database. */
export class SecretKeysChanged extends Error {
  override readonly name = 'SecretKeysChanged';

  constructor(kid: string, options?: ErrorOptions) {
    super(
      `SECRET_KEYS: no key of it opens the signing key ${kid} of the database, so SECRET_KEYS has changed. ` +
        'Add the former key behind the new one: SECRET_KEYS=<new>,<former>',
      options,
    );
  }
}

/** A fresh key pair; its `kid` is the RFC 7638 thumbprint. */
export async function generateSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return privateJwkSchema.parse({ ...jwk, kid, alg: signingAlgorithm, use: 'sig' });
}

/** What may be published of a key. */
export function toPublicJwk(key: PrivateJwk): PublicJwk {
  return publicJwkSchema.parse(key); // an object schema drops what it does not name: `d`
}

/** Encrypts a private key with the first of SECRET_KEYS. */
export async function sealSigningKey(key: PrivateJwk, secretKeys: readonly Secret[]): Promise<string> {
  const [secret] = secretKeys;
  if (secret === undefined) throw new TypeError('a signing key cannot be sealed without a secret key');
  return await new CompactEncrypt(Buffer.from(JSON.stringify(key)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: secretId(secret) })
    .encrypt(sealingKey(secret));
}

/** Whether `sealSigningKey` would encrypt with the same key. */
export function isSealedWithFirst(jwe: string, [secret]: readonly Secret[]): boolean {
  return secret !== undefined && decodeProtectedHeader(jwe).kid === secretId(secret);
}

/**
 * Decrypts a sealed key with the one of SECRET_KEYS that its JWE names.
 * @throws SecretKeysChanged when none of them opens it.
 */
export async function openSigningKey(kid: string, jwe: string, secretKeys: readonly Secret[]): Promise<PrivateJwk> {
  const sealedWith = decodeProtectedHeader(jwe).kid;
  const secret = secretKeys.find((candidate) => secretId(candidate) === sealedWith);
  if (secret === undefined) throw new SecretKeysChanged(kid);
  const key = privateJwkSchema.parse(JSON.parse(await decrypt(kid, jwe, secret)));
  if ((await calculateJwkThumbprint(key)) !== kid) {
    throw new Error(`signing key ${kid} holds another key than its id says`);
  }
  return key;
}

async function decrypt(kid: string, jwe: string, secret: Secret): Promise<string> {
  try {
    const { plaintext } = await compactDecrypt(jwe, sealingKey(secret), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return Buffer.from(plaintext).toString();
  } catch (cause) {
    throw new SecretKeysChanged(kid, { cause });
  }
}

function sealingKey(secret: Secret): Uint8Array {
  return derive(secret, 'linnet signing key sealing', 32);
}

/** Names a secret without telling anything about it. */
function secretId(secret: Secret): string {
  return Buffer.from(derive(secret, 'linnet secret key id', 9)).toString('base64url');
}

/** HKDF-SHA256 (RFC 5869): each purpose gets a key of its own. */
function derive(secret: Secret, purpose: string, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret.reveal(), '', purpose, bytes));
}
