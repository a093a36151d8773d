/** Conversions between the records of the provider and the stored ones. */

import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { open, seal } from '@linnet/keys/sealing';
import { Secret } from '@linnet/service/config/secret';
import type { AdapterPayload } from 'oidc-provider';
import { z } from 'zod';

import { insertArtifact } from './artifact-store.ts';

/** Adds the id, which is not stored in clear text. */
export function withId(id: string, payload: Readonly<Record<string, unknown>> | undefined): AdapterPayload | undefined {
  return payload === undefined ? undefined : { ...payload, jti: id };
}

/** @throws TypeError without a lifetime; the provider gives one to every record that is stored here. */
export function afterSeconds(seconds: number | undefined): Date {
  if (seconds === undefined) throw new TypeError('the provider saved a record without a lifetime');
  return new Date(Date.now() + seconds * 1000);
}

/** Seconds since 1970, the unit of times in JWTs. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims an id that may be used once; false if it was claimed before. `expiresAt` in seconds since 1970. */
export type ClaimOnce = (issuer: string, id: string, expiresAt: number) => Promise<boolean>;

export function createClaimOnce(db: Queryable): ClaimOnce {
  return async (issuer, id, expiresAt) =>
    await insertArtifact(db, {
      kind: 'ReplayDetection',
      idSha256: sha256(`${issuer} ${id}`),
      payload: {},
      grantId: undefined,
      expiresAt: new Date(expiresAt * 1000),
    });
}

/**
 * Payloads that only the holder of the record's id can read. The database has the SHA-256 of the id, so anyone who reads
 * the database learns neither the id nor the ids of other records that the payload contains.
 */
type Payload = Readonly<Record<string, unknown>>;

const purpose = 'linnet oauth record';
const sealedPayload = z.object({ sealed: z.string() });
const openedPayload = z.record(z.string(), z.unknown());

/** Seals the payload under a key derived from `id`. The times stay readable: `{ iat, exp, sealed }`. */
export function sealPayload(id: string, payload: Payload): Payload {
  const { iat, exp, ...rest } = payload;
  return { iat, exp, sealed: seal(JSON.stringify(rest), purpose, [new Secret(id)]) };
}

/**
 * Reads what `sealPayload` returned.
 * @throws TypeError if the sealed text was changed or belongs to another id
 */
export function openPayload(id: string, stored: Payload): Payload {
  const { sealed } = sealedPayload.parse(stored);
  const text = open(sealed, purpose, [new Secret(id)]);
  if (text === undefined) throw new TypeError('the record cannot be decrypted with its id');
  const { iat, exp } = stored;
  return { ...openedPayload.parse(JSON.parse(text)), iat, exp };
}

/** The stored form of an id that grants access (checklist CA3). */
export function sha256(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}
