import { uploadMedia } from '@linnet/contract/media-routes';
import { DatabaseUnavailable } from '@linnet/db/database-error';
import type { Queryable } from '@linnet/db/database';

import { insertMedia } from '../../domain/media/media-store.ts';
import { toImageType } from '../../domain/media/media-view.ts';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { slowEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { DecoderBusy, ImageRefused } from '../../media/decode/decoder.ts';
import { FetchFailed, FileTooLarge } from '../../media/fetch/media-fetcher.ts';
import { StorageFailed } from '../../media/storage/media-storage.ts';
import { TooManyUploads } from '../../media/upload-allowance.ts';
import type { ReceivedImage, Uploads } from '../../media/uploads.ts';

/** POST /media/upload */
export function createUploadMedia(uploads: Uploads): Endpoint {
  return slowEndpoint(uploadMedia, async ({ media }, caller) => {
    const ownerId = actingAccount(caller);
    const image = await uploads.receive(media, ownerId).catch((error: unknown) => {
      throw toRefusal(error);
    });
    return async (db) => {
      const id = await record(db, uploads, { ...image, ownerId });
      const image_type = toImageType(image.name);
      return {
        status: 'succeeded' as const,
        finally: { media_id: id, media_id_string: String(id), size: image.bytes, image_type },
      };
    };
  });
}

/** The record comes after the files; when it does not come, they go. */
async function record(
  db: Queryable,
  uploads: Uploads,
  image: ReceivedImage & { readonly ownerId: number },
): Promise<number> {
  try {
    const id = await insertMedia(db, image);
    if (id === undefined) throw new ApiError('user-context-required', { detail: 'The account is gone.' });
    return id;
  } catch (error) {
    // A lost connection does not say whether the record is there: the sweep will see.
    if (!(error instanceof DatabaseUnavailable)) await uploads.discard(image.name);
    throw error;
  }
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
