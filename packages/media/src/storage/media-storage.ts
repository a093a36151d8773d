import type { Readable } from 'node:stream';

import type { Rendition } from '../decode/decode-job.ts';

/** The files could not be stored: the disk is full or fails. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

/** Paths in a private directory for the files of one upload. Disposal removes the directory. */
export interface Draft extends AsyncDisposable {
  readonly source: string;
  readonly renditions: Readonly<Record<Rendition, string>>;
}

export interface StoredFile extends AsyncDisposable {
  readonly bytes: number;
  /** Reads the bytes from `start` to `end`, both inclusive. The file is closed after the last one. */
  read(start: number, end: number): Readable;
}

/**
 * Stores the files of media. All renditions of a name are stored and removed together. A name has the extension of its
 * type (`….png`, `….jpg`) and is used once.
 */
export interface MediaStorage {
  /** The directory for uploads in progress, on the volume of the stored files. */
  readonly draftDirectory: string;
  /** @throws StorageFailed */
  createDraft(): Promise<Draft>;
  /** Stores all renditions or none, durably. @throws StorageFailed */
  store(name: string, draft: Draft): Promise<void>;
  /** `undefined`: the file does not exist. */
  open(name: string, rendition: Rendition): Promise<StoredFile | undefined>;
  /** Removes the files of a name, if there are any. */
  remove(name: string): Promise<void>;
  /** Yields the names of files older than `olderThanMs`, in batches of a few hundred. */
  list(olderThanMs: number): AsyncIterable<readonly string[]>;
  /** Removes drafts older than `olderThanMs`, which interrupted uploads leave behind. */
  removeDrafts(olderThanMs: number): Promise<void>;
}
