import type { Readable } from 'node:stream';

import type { Rendition } from '../decode/decode-job.ts';

/** The files could not be stored: the disk is full or fails. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  /** One log line a minute (`packages/service`). */
  readonly outage = 'media-disk';

  constructor(options?: ErrorOptions) {
    super('the files could not be written', options);
  }
}

/** Error codes of a disk that cannot store a file; connection errors have other codes. */
const diskErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE']);

/** Whether a file could not be written. */
export function isDiskError(error: unknown): boolean {
  return diskErrors.has(String(Reflect.get(Object(error), 'code')));
}

/**
 * The object store is unreachable, or does not accept our requests. Nothing was changed that a request could see, and the
 * same request may succeed later.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** One log line a minute (`packages/service`). */
  readonly outage = 'media-store';
}

/** Paths in a private directory for the files of one upload. Disposal removes the directory. */
export interface Draft extends AsyncDisposable {
  readonly source: string;
  readonly renditions: Readonly<Record<Rendition, string>>;
}

export interface StoredFile extends AsyncDisposable {
  readonly bytes: number;
  /** Reads the bytes from `start` to `end`, both inclusive. The file is closed after the last one. @throws StorageUnavailable */
  read(start: number, end: number): Promise<Readable>;
  /** Returns a URL at which everyone can fetch the file for one minute. Absent: only the service can read it. */
  readonly presign?: () => Promise<string>;
}

export interface Quarantine {
  /** Moves the files of a name into the quarantine, unless they were stored less than `olderThanMs` ago. */
  add(name: string, olderThanMs: number): Promise<void>;
  /** Moves the files of a name back. */
  release(name: string): Promise<void>;
  /** Removes the files of a name that have been in the quarantine for `olderThanMs`. */
  remove(name: string, olderThanMs: number): Promise<void>;
  /** Like `MediaStorage.list`. */
  list(prefix: string): AsyncIterable<readonly string[]>;
}

export interface Position {
  /** When the current pass over all prefixes started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Index of the next prefix. */
  readonly next: number;
}

/** Shared by all processes with the same storage, which take turns. */
export interface PositionFile {
  /** `undefined`: there was no pass yet. */
  read(): Promise<Position | undefined>;
  write(position: Position): Promise<void>;
}

/**
 * Stores the files of media. All renditions of a name are stored and removed together. A name has the extension of its
 * type (`….png`, `….jpg`) and is used once.
 */
export interface MediaStorage {
  /** The directory for uploads in progress, on this machine; that of file storage is on the volume of the stored files. */
  readonly draftDirectory: string;
  /** @throws StorageFailed */
  createDraft(): Promise<Draft>;
  /** Stores all renditions or none, durably. @throws StorageFailed, StorageUnavailable */
  store(name: string, draft: Draft): Promise<void>;
  /** `undefined`: the file does not exist. @throws StorageUnavailable */
  open(name: string, rendition: Rendition): Promise<StoredFile | undefined>;
  /** Removes the files of a name, if there are any, also from the quarantine. @throws StorageUnavailable */
  remove(name: string): Promise<void>;
  /** What names begin with, in 256 parts of about the same size. */
  readonly prefixes: readonly string[];
  /** Yields the names with a prefix, in batches of at most 500, some of them more than once. */
  list(prefix: string): AsyncIterable<readonly string[]>;
  /** Files without a record, which a later sweep removes or releases. `open` still finds them. */
  readonly quarantine: Quarantine;
  /** Where the sweep of files without a record continues. */
  readonly position: PositionFile;
  /** Removes drafts older than `olderThanMs`, which interrupted uploads leave behind. */
  removeDrafts(olderThanMs: number): Promise<void>;
}
