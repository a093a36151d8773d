import { readFile, rename, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';

import { UploadedFile } from '@linnet/contract/uploaded-file';

import type { DecodedImage } from './decode/decode-job.ts';
import { RenditionWriteFailed } from './decode/decoder.ts';
import type { Decoder } from './decode/decoder.ts';
import { FetchFailed, FileTooLarge } from './fetch/fetch-target.ts';
import type { MediaFetcher } from './fetch/media-fetcher.ts';
import { StorageFailed, StorageUnavailable } from './storage/media-storage.ts';
import type { Draft, MediaStorage } from './storage/media-storage.ts';
import type { UploadLimiter } from './upload-limiter.ts';

/** An image whose files are stored, but which has no record yet. */
export interface ReceivedImage extends DecodedImage {
  readonly name: string;
}

/** The thumbnail of an image, which is not stored. */
interface Thumbnail {
  /** A random file name with the extension of the type. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Uploads {
  /**
   * Takes an image from a URL or an uploaded file, decodes it and stores its files. Insert its record afterwards
   * (`recordImage`); the sweep removes files that have none.
   * @throws FetchFailed, FileTooLarge, ImageRefused, DecoderBusy, TooManyUploads, StorageFailed, StorageUnavailable
   */
  receive(media: string | UploadedFile, accountId: number): Promise<ReceivedImage>;
  /**
   * Decodes an uploaded file and returns its thumbnail. Nothing is stored.
   * @throws ImageRefused, DecoderBusy, TooManyUploads, StorageFailed
   */
  createThumbnail(file: UploadedFile, accountId: number): Promise<Thumbnail>;
  /** Removes the stored files of an image that will have no record. If the bucket is unreachable, the sweep does it later. */
  discard(name: string): Promise<void>;
}

interface UploadsOptions {
  readonly fetcher: MediaFetcher;
  readonly decoder: Decoder;
  readonly storage: MediaStorage;
  readonly limiter: UploadLimiter;
  readonly onStorageFailed: (error: StorageFailed) => void;
}

/** 128 random bits: a URL reveals nothing and cannot be guessed (MD8; decisions, Details 13). */
const nameBytes = 16;

export function createUploads({ fetcher, decoder, storage, limiter, onStorageFailed }: UploadsOptions): Uploads {
  async function fill(draft: Draft, media: string | UploadedFile): Promise<void> {
    if (!(media instanceof UploadedFile)) return await fetcher.fetch(media, draft.source);
    await rename(media.path, draft.source);
    // formidable may report success before it learns that the last write failed.
    if ((await stat(draft.source)).size !== media.bytes) throw new StorageFailed();
  }

  /** Writes the renditions to the draft. */
  async function decode(draft: Draft, media: string | UploadedFile): Promise<ReceivedImage> {
    await orStorageFailed(fill(draft, media));
    const image = await orStorageFailed(decoder.decode({ source: draft.source, outputs: draft.renditions }));
    return { ...image, name: `${randomBytes(nameBytes).toString('hex')}.${image.type}` };
  }

  async function inDraft<Result>(accountId: number, work: (draft: Draft) => Promise<Result>): Promise<Result> {
    using _slot = limiter.acquire(accountId);
    try {
      await using draft = await storage.createDraft();
      return await work(draft);
    } catch (error) {
      if (error instanceof StorageFailed) onStorageFailed(error);
      throw error;
    }
  }

  return {
    receive: async (media, accountId) =>
      await inDraft(accountId, async (draft) => {
        const image = await decode(draft, media);
        await storage.store(image.name, draft);
        return image;
      }),
    createThumbnail: async (file, accountId) =>
      await inDraft(accountId, async (draft) => {
        const { name } = await decode(draft, file);
        return { name, bytes: await orStorageFailed(readFile(draft.renditions.thumb)) };
      }),
    discard: async (name) => await storage.remove(name).catch(ignoreUnavailable),
  };
}

/** @throws the error, if it is another one */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StorageUnavailable)) throw error;
}

/** Converts errors of the file system to StorageFailed. Errors of the network already are FetchFailed. */
async function orStorageFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isKnown = error instanceof FetchFailed || error instanceof FileTooLarge;
    const isFileSystem = !isKnown && error instanceof Error && 'syscall' in error;
    if (isFileSystem || error instanceof RenditionWriteFailed) {
      throw new StorageFailed({ cause: error });
    }
    throw error;
  }
}
