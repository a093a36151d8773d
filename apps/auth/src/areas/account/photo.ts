import type { Accounts } from '@linnet/accounts/accounts';
import type { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Db } from '@linnet/db/database';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import { recordImage } from '@linnet/media/media-record-store';
import { StorageFailed, StorageUnavailable } from '@linnet/media/storage/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';
import type { Uploads } from '@linnet/media/uploads';

export type PhotoProblem = 'refused' | 'throttled' | 'busy' | 'unavailable' | 'full';

interface PhotoOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'updateProfile'>;
  readonly uploads: Uploads;
}

/** Returns undefined on success. A sweep deletes the previous photo. */
export async function changePhoto(
  { db, accounts, uploads }: PhotoOptions,
  accountId: number,
  file: UploadedFile,
): Promise<PhotoProblem | undefined> {
  try {
    const image = await uploads.receive(file, accountId);
    const avatarMediaId = await recordImage(db, uploads, { ...image, ownerId: accountId });
    if (avatarMediaId !== undefined) await accounts.updateProfile({ accountId, avatarMediaId });
    return undefined;
  } catch (error) {
    const problem = toProblem(error);
    if (problem === undefined) throw error;
    return problem;
  }
}

function toProblem(error: unknown): PhotoProblem | undefined {
  if (error instanceof ImageRefused) return 'refused';
  if (error instanceof TooManyUploads) return 'throttled';
  if (error instanceof DecoderBusy) return 'busy';
  if (error instanceof StorageUnavailable) return 'unavailable';
  return error instanceof StorageFailed ? 'full' : undefined;
}

export const photoStatus: Readonly<Record<PhotoProblem, number>> = {
  refused: 422,
  throttled: 429,
  busy: 503,
  unavailable: 503,
  full: 507,
};
