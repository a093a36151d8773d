import type { Readable } from 'node:stream';

import type { Rendition } from '../decode/decode-job.ts';

/** The files could not be stored: no room is left, or the disk fails. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

/** A private place for the files of one upload; gone when disposed of. */
export interface Draft extends AsyncDisposable {
  readonly source: string;
  readonly renditions: Readonly<Record<Rendition, string>>;
}

export interface StoredFile extends AsyncDisposable {
  readonly bytes: number;
  /** Octets `start` to `end`, both included; the file is closed once they are read. */
  read(start: number, end: number): Readable;
}

/**
 * Where the files of media are. All renditions of a name are stored and removed together; a name says
 * the type (`….png`, `….jpg`) and is used once.
 */
export interface MediaStorage {
  /** Where files are received; on the same volume. */
  readonly draftDirectory: string;
  /** @throws StorageFailed */
  createDraft(): Promise<Draft>;
  /** All renditions or none, on the disk when it resolves. @throws StorageFailed */
  store(name: string, draft: Draft): Promise<void>;
  /** `undefined`: there is no such file. */
  open(name: string, rendition: Rendition): Promise<StoredFile | undefined>;
  /** Names that have none are no error. */
  remove(name: string): Promise<void>;
  /** Names with a file that is older than `olderThanMs`, a few hundred at a time. */
  list(olderThanMs: number): AsyncIterable<readonly string[]>;
  /** What uploads left behind that were cut off. */
  removeDrafts(olderThanMs: number): Promise<void>;
}
