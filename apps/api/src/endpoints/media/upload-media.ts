import { uploadMedia } from '@linnet/contract/routes/media';
import { DecoderBusy, ImageRefused } from '@linnet/media/decoder';
import { FetchFailed, FileTooLarge } from '@linnet/media/media-fetcher';
import { recordImage } from '@linnet/media/media-record-store';
import { StorageFailed } from '@linnet/media/media-storage';
import { TooManyUploads } from '@linnet/media/upload-allowance';
import type { Uploads } from '@linnet/media/uploads';

import { toImageType } from '@linnet/social/media/media-view';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { slowEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /media/upload */
export function createUploadMedia(uploads: Uploads): Endpoint {
  return slowEndpoint(uploadMedia, async ({ media }, caller) => {
    const { accountId: ownerId } = caller;
    const image = await uploads.receive(media, ownerId).catch((error: unknown) => {
      throw toRefusal(error);
    });
    return async (db) => {
      const id = await recordImage(db, uploads, { ...image, ownerId });
      if (id === undefined) throw new ApiError('user-context-required', { detail: 'The account is gone.' });
      const image_type = toImageType(image.name);
      return {
        status: 'succeeded' as const,
        finally: { media_id: id, media_id_string: String(id), size: image.bytes, image_type },
      };
    };
  });
}

const unreachable = 'cannot be fetched: it has to be an http(s) address that anyone on the internet can reach';

/** Whatever could not be fetched answers alike, so that nothing is told of what is where (MD4). */
function toRefusal(error: unknown): unknown {
  if (error instanceof FetchFailed) {
    return invalidParameters([{ parameter: 'media', code: 'invalid', detail: unreachable }], error);
  }
  if (error instanceof FileTooLarge) {
    return new ApiError('body-too-large', { detail: 'The file has more than 10 MB.', cause: error });
  }
  if (error instanceof ImageRefused) {
    const detail = 'is not a PNG or JPEG of at most 40 megapixels, or it is damaged';
    return new ApiError('image-refused', { errors: [{ parameter: 'media', code: 'invalid', detail }], cause: error });
  }
  return toBusy(error);
}

const soon = { 'Retry-After': '5' };

function toBusy(error: unknown): unknown {
  if (error instanceof TooManyUploads) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return new ApiError('rate-limited', { detail: 'The account uploads too much.', headers, cause: error });
  }
  if (error instanceof DecoderBusy) return new ApiError('overloaded', { headers: soon, cause: error });
  return error instanceof StorageFailed ? new ApiError('storage-full', { cause: error }) : error;
}
