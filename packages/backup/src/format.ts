/**
 * A backup is a tar archive, compressed with Zstandard and encrypted with age:
 *
 *     header.json                      what a restore needs to know before it starts
 *     secret-keys                      only if it was asked for
 *     media/ab/abcd….full.png          files, three renditions for each record of the snapshot
 *     database/<table>/000001          rows in the text format of COPY, in parts
 *     trailer.json                     counts, and the SHA-256 of everything before
 */
import { z } from 'zod';

export const headerName = 'header.json';
export const trailerName = 'trailer.json';
export const secretKeysName = 'secret-keys';

export const headerSchema = z.object({
  format: z.literal('linnet-backup'),
  version: z.literal(1),
  created: z.iso.datetime(),
  /** BASE_URL. Tokens and links are valid at this address only. */
  service: z.string(),
  /** Ids of the SECRET_KEYS without which tokens, sessions and authenticator apps are lost; not the keys. */
  secretKeys: z.array(z.string()),
  /** Whether the backup has the file `secret-keys`. */
  containsSecretKeys: z.boolean(),
  database: z.object({
    version: z.string(),
    migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
    sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
    partitions: z.array(z.object({ table: z.string(), name: z.string(), from: z.string(), to: z.string() })),
  }),
});
export type BackupHeader = Readonly<z.infer<typeof headerSchema>>;

export const trailerSchema = z.object({
  entries: z.number(),
  /** Hex SHA-256 over name, size and content of every entry before. */
  sha256: z.string(),
  /** Number of rows of each table. */
  rows: z.record(z.string(), z.number()),
  media: z.object({
    files: z.number(),
    bytes: z.number(),
    /** Records whose files did not exist: the service could not show them either. */
    missing: z.number(),
  }),
});
export type BackupTrailer = Readonly<z.infer<typeof trailerSchema>>;

/** What the digest of the trailer covers of an entry besides its content. */
export function describeEntry(name: string, size: number): string {
  return `${name}\0${String(size)}\0`;
}
