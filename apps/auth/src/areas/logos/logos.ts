/** Logos of applications. The decoder re-encodes every uploaded image. */
import type { UploadedFile } from '@linnet/contract/uploaded-file';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import type { Media } from '@linnet/media/media';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';

import type { NewLogo } from '@linnet/applications/application/description-store';

export type LogoProblem = ImageRefused['problem'] | 'too-large' | 'busy';

export interface Logos {
  /** Directory for uploaded files. */
  readonly directory: string;
  /** Creates a small image from an uploaded file. */
  draw(file: UploadedFile, accountId: number): Promise<NewLogo | LogoProblem>;
}

/** A constraint of the table. Only images of noise come close. */
const maxBytes = 1024 * 1024;

export function createLogos({ uploads, storage }: Pick<Media, 'uploads' | 'storage'>): Logos {
  return {
    directory: storage.draftDirectory,
    draw: async (file, accountId) => {
      try {
        const drawn = await uploads.createThumbnail(file, accountId);
        return drawn.bytes.length > maxBytes ? 'too-large' : drawn;
      } catch (error) {
        if (error instanceof ImageRefused) return error.problem;
        const isBusy = [DecoderBusy, TooManyUploads, StorageFailed].some((kind) => error instanceof kind);
        if (isBusy) return 'busy';
        throw error;
      }
    },
  };
}
