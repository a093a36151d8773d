/**
 * One signing key: generated, sealed for the database, decrypted. A private key leaves the process only sealed
 * (`sealing.ts`).
 */
import type { Secret } from '@linnet/service/config/secret';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

import { open, seal } from './sealing.ts';

/**
 * The algorithms of ID tokens. OpenID Connect Discovery §3 requires RS256, and many clients support nothing else.
 * Each algorithm has a current and a next key of its own.
 */
export const signingAlgorithms = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** The only algorithm of access tokens. */
export const accessTokenAlgorithm = 'ES256' satisfies SigningAlgorithm;

/** The minimum of RFC 7518 §3.3. */
const modulusLength = 2048;

const purpose = 'linnet signing key sealing';

/** Members of every key. `kid` is its RFC 7638 thumbprint. */
const common = { kid: z.string(), use: z.literal('sig') };
const ecMembers = {
  ...common,
  alg: z.literal('ES256'),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
};
const rsaMembers = { ...common, alg: z.literal('RS256'), kty: z.literal('RSA'), n: z.string(), e: z.string() };
const rsaPrivateMembers = {
  ...{ d: z.string(), p: z.string(), q: z.string() },
  ...{ dp: z.string(), dq: z.string(), qi: z.string() },
};

const publicJwkSchema = z.discriminatedUnion('alg', [z.object(ecMembers), z.object(rsaMembers)]);
const privateJwkSchema = z.discriminatedUnion('alg', [
  z.object({ ...ecMembers, d: z.string() }),
  z.object({ ...rsaMembers, ...rsaPrivateMembers }),
]);

export type PublicJwk = Readonly<z.infer<typeof publicJwkSchema>>;
export type PrivateJwk = Readonly<z.infer<typeof privateJwkSchema>>;
export type PrivateEs256Jwk = Extract<PrivateJwk, { readonly alg: 'ES256' }>;

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

/**
 * Generates a key pair; its `kid` is the RFC 7638 thumbprint. An RSA key takes a second or more on a busy machine. The
 * work is done in a thread of its own, so it does not delay requests.
 */
export async function generateSigningKey(alg: SigningAlgorithm): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return privateJwkSchema.parse({ ...jwk, kid, alg, use: 'sig' });
}

/** The public half. */
export function toPublicJwk(key: PrivateJwk): PublicJwk {
  return publicJwkSchema.parse(key); // an object schema drops what it does not name
}

/** Encrypts a private key with the first of SECRET_KEYS. */
export function sealSigningKey(key: PrivateJwk, secretKeys: readonly Secret[]): string {
  return seal(JSON.stringify(key), purpose, secretKeys);
}

/**
 * Decrypts a sealed key with the one of SECRET_KEYS that its JWE names.
 * @throws SecretKeysChanged if none of them does.
 */
export async function openSigningKey(kid: string, jwe: string, secretKeys: readonly Secret[]): Promise<PrivateJwk> {
  const text = open(jwe, purpose, secretKeys);
  if (text === undefined) throw new SecretKeysChanged(kid);
  const key = privateJwkSchema.parse(JSON.parse(text));
  if ((await calculateJwkThumbprint(key)) !== kid) {
    throw new Error(`signing key ${kid} holds another key than its id says`);
  }
  return key;
}
