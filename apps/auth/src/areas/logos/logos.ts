/** Pictures of applications: drawn anew by the decoder, whatever was sent. */
import type { UploadedFile } from '@linnet/contract/uploaded-file';
import { DecoderBusy, ImageRefused } from '@linnet/media/decoder';
import type { Media } from '@linnet/media/media';
import { StorageFailed } from '@linnet/media/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';

import type { NewLogo } from '@linnet/applications/description-store';

/** Why a picture was not taken. */
export type LogoProblem = 'not-an-image' | 'busy';

export interface Logos {
  /** Where files are received. */
  readonly directory: string;
  /** Draws the picture of a received file, small. */
  draw(file: UploadedFile, accountId: number): Promise<NewLogo | LogoProblem>;
}

/** As the table takes it; only a picture of noise comes near. */
const maxBytes = 1024 * 1024;

export function createLogos({ uploads, storage }: Pick<Media, 'uploads' | 'storage'>): Logos {
  return {
    directory: storage.draftDirectory,
    draw: async (file, accountId) => {
      try {
        const drawn = await uploads.createThumbnail(file, accountId);
        return drawn.bytes.length > maxBytes ? 'not-an-image' : drawn;
      } catch (error) {
        if (error instanceof ImageRefused) return 'not-an-image';
        const isBusy = [DecoderBusy, TooManyUploads, StorageFailed].some((kind) => error instanceof kind);
        if (isBusy) return 'busy';
        throw error;
      }
    },
  };
}
