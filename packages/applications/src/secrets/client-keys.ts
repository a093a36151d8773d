/** Public keys of an application that authenticates with private_key_jwt (RFC 7523 §2.2) instead of a secret. */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

import { z } from 'zod';

import { ApplicationRefused } from '../application/application.ts';
import type { ApplicationType } from '../application/application-type.ts';

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

/** Keys as submitted. Blank means none. */
interface SubmittedKeys {
  readonly jwksUri?: string | undefined;
  /** A JWK Set, parsed from JSON. */
  readonly jwks?: unknown;
}

const maxUriLength = 2048;
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

/** @throws ApplicationRefused if the application cannot keep keys, or if they are invalid */
export function parseClientKeys(submitted: SubmittedKeys, type: ApplicationType): ClientKeys {
  const uri = submitted.jwksUri?.trim() ?? '';
  const jwksUri = uri === '' ? undefined : uri;
  const { jwks } = submitted;
  if (jwksUri === undefined && jwks === undefined) return { jwksUri: undefined, jwks: undefined };
  if (type !== 'confidential') {
    throw refuseJwksUri('not-confidential', 'Only confidential applications can use their own keys.');
  }
  if (jwksUri !== undefined && jwks !== undefined) {
    throw refuseKeys('both', 'Give either a JWKS URI or a JWK Set, not both.');
  }
  return jwksUri === undefined
    ? { jwksUri, jwks: parseKeySet(jwks) }
    : { jwksUri: parseJwksUri(jwksUri), jwks: undefined };
}

/**
 * Allows https on port 443, or any port of a loopback host, also over http. Keys are fetched from a loopback host only
 * if BASE_URL is one as well.
 */
function parseJwksUri(text: string): string {
  const url = /^[!-[\]-~]+$/.test(text) ? URL.parse(text) : null; // printable ASCII without white space
  const isValid =
    url !== null &&
    text.length <= maxUriLength &&
    isReachable(url) &&
    url.username === '' &&
    url.password === '' &&
    !text.includes('#');
  if (isValid) return text;
  throw refuseJwksUri(
    'bad-address',
    `The JWKS URI ${JSON.stringify(text)} is not valid. Use an https URL without a port, such as https://app.example.com/jwks.json.`,
  );
}

function isReachable({ protocol, port, hostname }: URL): boolean {
  if (protocol === 'https:') return port === '' || loopbackHosts.has(hostname);
  return protocol === 'http:' && loopbackHosts.has(hostname);
}

function parseKeySet(document: unknown): PublicKeySet {
  const parsed = keySet.safeParse(document);
  if (!parsed.success) {
    throw refuseKeys('malformed', `The keys are not a JWK Set of 1 to ${String(maxKeys)} EC, RSA or OKP keys.`);
  }
  const { keys } = parsed.data;
  if (keys.some((key) => privateMembers.some((name) => name in key))) {
    throw refuseKeys('private', 'The JWK Set contains a private key. Include public keys only.');
  }
  const unusable = keys.findIndex((key) => algorithmsOf(key).length === 0);
  if (unusable !== -1) {
    throw refuseKeys(
      'malformed',
      `Key ${String(unusable + 1)} must be P-256, RSA with at least ${String(minRsaBits)} bits, or Ed25519.`,
    );
  }
  // A key signs with the algorithm that it names (RFC 7517 §4.4).
  if (keys.every((key) => key.alg !== undefined && !algorithmsOf(key).includes(key.alg))) {
    throw refuseKeys('malformed', 'No key of the JWK Set is for ES256, PS256, RS256 or EdDSA.');
  }
  return {
    keys: keys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => keptMembers.has(name)))),
  };
}

/** With which it can sign assertions. */
function algorithmsOf(jwk: JsonWebKey): readonly string[] {
  const key = importKey(jwk);
  switch (key?.asymmetricKeyType) {
    case 'ec':
      return jwk.crv === 'P-256' ? ['ES256'] : [];
    case 'rsa':
      return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits ? ['PS256', 'RS256'] : [];
    case 'ed25519':
      return ['EdDSA'];
    case undefined:
    default:
      return [];
  }
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function refuseJwksUri(problem: 'not-confidential' | 'bad-address', message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'jwks_uri', problem }, message);
}

function refuseKeys(problem: 'both' | 'malformed' | 'private', message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'jwks', problem }, message);
}
