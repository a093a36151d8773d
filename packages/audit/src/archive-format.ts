/**
 * An archive file: gzip, one JSON document per line. A header; then the events of each seal, each with exactly the text
 * that the seal hashes (`audit_event_text` in the database), followed by the seal; then a trailer.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Hash } from 'node:crypto';

import { z } from 'zod';

/** A key for archives and checkpoints, derived from one of SECRET_KEYS. */
export interface ArchiveKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export const formatVersion = 1;

const sha256Hex = z.string().regex(/^[\da-f]{64}$/);

export const headerSchema = z.object({
  linnet_audit_archive: z.literal(formatVersion),
  /** The address of the service, for people. */
  service: z.string(),
  /** The number of its first seal. */
  first_seal: z.int().positive(),
  /** Events have ids after this one. */
  from_id: z.int().nonnegative(),
  /** The seal before the first one; empty at the start of the log. */
  previous_sha256: sha256Hex.or(z.literal('')),
});

export type ArchiveHeader = z.output<typeof headerSchema>;

export const sealSchema = z.object({
  seal: z.int().positive(),
  to_id: z.int().positive(),
  events: z.int().nonnegative(),
  sha256: sha256Hex,
});

export type ArchivedSeal = z.output<typeof sealSchema>;

export const trailerSchema = z.object({
  seals: z.int().positive(),
  events: z.int().nonnegative(),
  sha256: sha256Hex,
  key: z.string(),
  mac: sha256Hex,
});

export type ArchiveTrailer = z.output<typeof trailerSchema>;

/** Computes a seal as `audit_seal_of` does. */
export interface SealHash {
  add(event: Uint8Array): void;
  /** In hexadecimal. */
  end(): string;
}

export function createSealHash(previousSha256: string): SealHash {
  const sha256 = createHash('sha256').update(previousSha256, 'hex');
  let isFirst = true;
  return {
    add: (event) => {
      if (!isFirst) sha256.update('\n');
      isFirst = false;
      sha256.update(event);
    },
    end: () => sha256.digest('hex'),
  };
}

/** HMAC-SHA256 over everything before the trailer. `content` is the hash of it. */
export function signContent(content: Hash, key: ArchiveKey): string {
  return sign(`linnet audit archive\n${content.copy().digest('hex')}`, key);
}

/** HMAC-SHA256 in hexadecimal. */
export function sign(text: string, key: ArchiveKey): string {
  return createHmac('sha256', key.bytes).update(text).digest('hex');
}

/** Compares two digests in hexadecimal. */
export function isSameDigest(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
