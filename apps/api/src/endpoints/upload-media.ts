import { uploadMedia } from '@linnet/contract/routes/media';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import { FetchFailed, FileTooLarge } from '@linnet/media/fetch/fetch-target';
import { recordImage } from '@linnet/media/media-record-store';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';
import type { Uploads } from '@linnet/media/uploads';

import { toImageType, toPicture } from '@linnet/social/media/media-view';
import { ApiError, accountGone, invalidParameters } from '../http/api-error.ts';
import { slowEndpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /media/upload */
export function createUploadMedia(uploads: Uploads): Endpoint {
  return slowEndpoint(uploadMedia, async ({ media, alt = '' }, caller) => {
    const { accountId: ownerId } = caller;
    if (typeof media === 'string' && !caller.scopes.has('posts')) throw fileOnly();
    const image = await uploads.receive(media, ownerId).catch((error: unknown) => {
      throw toApiError(error);
    });
    return async (db) => {
      const id = await recordImage(db, uploads, { ...image, ownerId, alt });
      if (id === undefined) throw accountGone();
      const image_type = toImageType(image.name);
      return {
        status: 'succeeded' as const,
        finally: {
          media_id: id,
          media_id_string: String(id),
          size: image.bytes,
          image_type,
          ...toPicture({ ...image, alt }),
        },
      };
    };
  });
}

/** Fetching an address would carry what an agent has read to somebody else, and nobody has decided it. */
function fileOnly(): ApiError {
  const detail = 'Without the scope `posts`, the picture must be a file part.';
  return new ApiError('insufficient_scope', { detail, members: { scope: 'posts' } });
}

const imageProblems: Readonly<Record<ImageRefused['problem'], string>> = {
  heic: 'must be a PNG or JPEG, but is HEIC; iPhone: Settings › Camera › Formats › Most Compatible',
  avif: 'must be a PNG or JPEG, but is AVIF',
  webp: 'must be a PNG or JPEG, but is WebP',
  gif: 'must be a PNG or JPEG, but is GIF',
  other: 'must be a PNG or JPEG',
  hdr: 'must have standard dynamic range, but is a PNG in PQ or HLG',
  'too-many-pixels': 'must have at most 40 megapixels',
  damaged: 'must be undamaged',
};

const unreachable = 'must be an http(s) URL that is reachable from the public internet';

/** All failed fetches get the same response, so that it reveals nothing about internal networks (MD4). */
function toApiError(error: unknown): unknown {
  if (error instanceof FetchFailed) {
    return invalidParameters([{ parameter: 'media', code: 'invalid', detail: unreachable }], error);
  }
  if (error instanceof FileTooLarge) {
    return new ApiError('body-too-large', { detail: 'Send a file of at most 10 MB.', cause: error });
  }
  if (error instanceof ImageRefused) {
    const detail = imageProblems[error.problem];
    return new ApiError('image-refused', { errors: [{ parameter: 'media', code: 'invalid', detail }], cause: error });
  }
  return toOverload(error);
}

const retrySoon = { 'Retry-After': '5' };

function toOverload(error: unknown): unknown {
  if (error instanceof TooManyUploads) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return new ApiError('rate-limited', {
      detail: 'The account reached its upload limit. Wait as many seconds as `Retry-After` says, then retry.',
      headers,
      cause: error,
    });
  }
  if (error instanceof DecoderBusy) return new ApiError('overloaded', { headers: retrySoon, cause: error });
  return error instanceof StorageFailed ? new ApiError('storage-full', { cause: error }) : error;
}
