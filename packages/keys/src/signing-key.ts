/**
 * One ES256 signing key: generated, sealed for the database, decrypted. A private key leaves the process only sealed
 * (`sealing.ts`).
 */
import type { Secret } from '@linnet/service/secret';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

import { open, seal } from './sealing.ts';

export const signingAlgorithm = 'ES256';

const purpose = 'linnet signing key sealing';

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

/** No key of SECRET_KEYS decrypts a signing key of the database. */
export class SecretKeysChanged extends Error {
  override readonly name = 'SecretKeysChanged';

  constructor(kid: string) {
    super(
      `SECRET_KEYS: no key of it opens the signing key ${kid} of the database, so SECRET_KEYS has changed. ` +
        'Add the former key behind the new one: SECRET_KEYS=<new>,<former>',
    );
  }
}

/** Generates a key pair; its `kid` is the RFC 7638 thumbprint. */
export async function generateSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return privateJwkSchema.parse({ ...jwk, kid, alg: signingAlgorithm, use: 'sig' });
}

/** The public half. */
export function toPublicJwk(key: PrivateJwk): PublicJwk {
  return publicJwkSchema.parse(key); // an object schema drops what it does not name: `d`
}

/** Encrypts a private key with the first of SECRET_KEYS. */
export async function sealSigningKey(key: PrivateJwk, secretKeys: readonly Secret[]): Promise<string> {
  return await seal(JSON.stringify(key), purpose, secretKeys);
}

/**
 * Decrypts a sealed key with the one of SECRET_KEYS that its JWE names.
 * @throws SecretKeysChanged if none of them does.
 */
export async function openSigningKey(kid: string, jwe: string, secretKeys: readonly Secret[]): Promise<PrivateJwk> {
  const text = await open(jwe, purpose, secretKeys);
  if (text === undefined) throw new SecretKeysChanged(kid);
  const key = privateJwkSchema.parse(JSON.parse(text));
  if ((await calculateJwkThumbprint(key)) !== kid) {
    throw new Error(`signing key ${kid} holds another key than its id says`);
  }
  return key;
}
