/** Keys by which an application proves who it is (private_key_jwt, RFC 7523 §2.2), in place of a secret. */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

import { z } from 'zod';

import { ApplicationRefused } from './application.ts';
import type { ApplicationType } from './application-type.ts';

/** Public keys as a JWK Set (RFC 7517 §5). */
export interface PublicKeySet {
  readonly keys: readonly JsonWebKey[];
}

/** At most one of the two. */
export interface ClientKeys {
  /** Where the application publishes its keys. */
  readonly jwksUri: string | undefined;
  readonly jwks: PublicKeySet | undefined;
}

/** Keys as they are asked for; nothing or white space alone asks for none. */
interface AskedKeys {
  readonly jwksUri?: string | undefined;
  /** A JWK Set that has been read from JSON. */
  readonly jwks?: unknown;
}

const maxAddressLength = 2048;
const maxKeys = 20;
const minRsaBits = 2048;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

const keySet = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.enum(['EC', 'RSA', 'OKP']),
        kid: z.string().optional(),
        alg: z.string().optional(),
        use: z.literal('sig').optional(),
      }),
    )
    .min(1)
    .max(maxKeys),
});

/** Members of private and symmetric keys (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const keptMembers = new Set(['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use']);

/** @throws ApplicationRefused for keys of an application that could not keep them, and for bad ones. */
export function parseClientKeys(asked: AskedKeys, type: ApplicationType): ClientKeys {
  const address = asked.jwksUri?.trim() ?? '';
  const jwksUri = address === '' ? undefined : address;
  const { jwks } = asked;
  if (jwksUri === undefined && jwks === undefined) return { jwksUri: undefined, jwks: undefined };
  if (type !== 'confidential') {
    throw refusedAddress('not-confidential', 'Only a confidential application can have keys of its own.');
  }
  if (jwksUri !== undefined && jwks !== undefined) {
    throw refusedKeys('both', 'Keys come from an address or a file, not both.');
  }
  return jwksUri === undefined
    ? { jwksUri, jwks: parseKeySet(jwks) }
    : { jwksUri: parseAddress(jwksUri), jwks: undefined };
}

/** Like a return address: https, or http on the machine itself, which is fetched from while BASE_URL is there too. */
function parseAddress(text: string): string {
  const url = /^[!-[\]-~]+$/.test(text) ? URL.parse(text) : null; // printable ASCII without white space
  const isGood =
    url !== null &&
    text.length <= maxAddressLength &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.has(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    !text.includes('#');
  if (isGood) return text;
  throw refusedAddress('bad-address', `The address of keys ${JSON.stringify(text)} is not a plain https address.`);
}

function parseKeySet(document: unknown): PublicKeySet {
  const parsed = keySet.safeParse(document);
  if (!parsed.success) throw refusedKeys('malformed', 'The keys are not a JWK Set of EC, RSA or OKP keys.');
  const { keys } = parsed.data;
  if (keys.some((key) => privateMembers.some((name) => name in key))) {
    throw refusedKeys('private', 'The keys hold a private key. Give the public ones alone.');
  }
  const unusable = keys.findIndex((key) => !isUsable(key));
  if (unusable !== -1) {
    throw refusedKeys(
      'malformed',
      `Key ${String(unusable + 1)} is none of P-256, RSA with 2048 bits or more, and Ed25519.`,
    );
  }
  return {
    keys: keys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => keptMembers.has(name)))),
  };
}

function isUsable(jwk: JsonWebKey): boolean {
  const key = importKey(jwk);
  switch (key?.asymmetricKeyType) {
    case 'ec':
      return jwk.crv === 'P-256';
    case 'rsa':
      return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits;
    case 'ed25519':
      return true;
    case undefined:
    default:
      return false;
  }
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function refusedAddress(problem: 'not-confidential' | 'bad-address', message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'jwks_uri', problem }, message);
}

function refusedKeys(problem: 'both' | 'malformed' | 'private', message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'jwks', problem }, message);
}
