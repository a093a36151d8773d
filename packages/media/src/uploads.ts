import { readFile, rename } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';

import { UploadedFile } from '@linnet/contract/uploaded-file';

import type { DecodedImage } from './decode/decode-job.ts';
import { RenditionsNotWritten } from './decode/decoder.ts';
import type { Decoder } from './decode/decoder.ts';
import { FetchFailed, FileTooLarge } from './fetch/media-fetcher.ts';
import type { MediaFetcher } from './fetch/media-fetcher.ts';
import { StorageFailed } from './storage/media-storage.ts';
import type { Draft, MediaStorage } from './storage/media-storage.ts';
import type { UploadAllowance } from './upload-allowance.ts';

/** An image whose files are stored, and whose record is not there yet. */
export interface ReceivedImage extends DecodedImage {
  readonly name: string;
}

/** An image that is kept nowhere yet, small. */
interface DrawnImage {
  /** Random, with the type at its end. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Uploads {
  /**
   * Gets an image from an address or a received file, decodes it and stores its files. The record
   * comes next: without one the files are swept out.
   * @throws FetchFailed, FileTooLarge, ImageRefused, DecoderBusy, TooManyUploads, StorageFailed
   */
  receive(media: string | UploadedFile, accountId: number): Promise<ReceivedImage>;
  /**
   * Decodes a received file and answers its small rendition; nothing is stored.
   * @throws ImageRefused, DecoderBusy, TooManyUploads, StorageFailed
   */
  draw(file: UploadedFile, accountId: number): Promise<DrawnImage>;
  /** When no record will come. */
  discard(name: string): Promise<void>;
}

interface UploadsOptions {
  readonly fetcher: MediaFetcher;
  readonly decoder: Decoder;
  readonly storage: MediaStorage;
  readonly allowance: UploadAllowance;
}

/** 128 bits: an address tells nothing and cannot be guessed (decisions, Details 13). */
const nameBytes = 16;

export function createUploads({ fetcher, decoder, storage, allowance }: UploadsOptions): Uploads {
  async function fill(draft: Draft, media: string | UploadedFile): Promise<void> {
    if (media instanceof UploadedFile) await rename(media.path, draft.source);
    else await fetcher.fetch(media, draft.source);
  }

  /** The renditions are in the draft when it resolves. */
  async function decode(draft: Draft, media: string | UploadedFile): Promise<ReceivedImage> {
    await orStorageFailed(fill(draft, media));
    const image = await orStorageFailed(decoder.decode({ source: draft.source, outputs: draft.renditions }));
    return { ...image, name: `${randomBytes(nameBytes).toString('hex')}.${image.type}` };
  }

  return {
    receive: async (media, accountId) => {
      using _place = allowance.enter(accountId);
      await using draft = await storage.createDraft();
      const image = await decode(draft, media);
      await storage.store(image.name, draft);
      return image;
    },
    draw: async (file, accountId) => {
      using _place = allowance.enter(accountId);
      await using draft = await storage.createDraft();
      const { name } = await decode(draft, file);
      return { name, bytes: await orStorageFailed(readFile(draft.renditions.thumb)) };
    },
    discard: async (name) => await storage.remove(name),
  };
}

/** An error of the system is the disk's: those of the network arrive as FetchFailed. */
async function orStorageFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isKnown = error instanceof FetchFailed || error instanceof FileTooLarge;
    const isDisk = !isKnown && error instanceof Error && 'syscall' in error;
    if (isDisk || error instanceof RenditionsNotWritten) throw new StorageFailed('no room', { cause: error });
    throw error;
  }
}
