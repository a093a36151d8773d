import type { Accounts } from '@linnet/accounts/accounts';
import type { Account } from '@linnet/accounts/account';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import type { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Db } from '@linnet/db/database';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import { mediaPath } from '@linnet/media/media-address';
import { recordImage } from '@linnet/media/media-record-store';
import type { Media } from '@linnet/media/media';
import { StorageFailed, StorageUnavailable } from '@linnet/media/storage/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';
import type { Uploads } from '@linnet/media/uploads';
import { defaultAvatarPath } from '@linnet/social/account/account-view';

import type { FileForm } from '../../pages/form/file-form.ts';
import type { Form } from '../../pages/form/form.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { ProfilePage, photoField, profileActions, readProfileForm } from './profile-page.tsx';
import type { ProfilePageProps, ProfileValues } from './profile-page.tsx';

type PhotoProblem = ImageRefused['problem'] | 'throttled' | 'busy' | 'unavailable' | 'full';

interface PhotoOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'updateProfile'>;
  readonly uploads: Uploads;
}

/** Returns undefined on success. A sweep deletes the previous photo. */
async function changePhoto(
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
  if (error instanceof ImageRefused) return error.problem;
  if (error instanceof TooManyUploads) return 'throttled';
  if (error instanceof DecoderBusy) return 'busy';
  if (error instanceof StorageUnavailable) return 'unavailable';
  return error instanceof StorageFailed ? 'full' : undefined;
}

/** Others are 422. */
const photoStatus: Readonly<Partial<Record<PhotoProblem, number>>> = {
  throttled: 429,
  busy: 503,
  unavailable: 503,
  full: 507,
};

interface ProfileRouteOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'findById' | 'updateProfile'>;
  readonly media: Pick<Media, 'uploads' | 'storage'>;
}

const maxPhotoBytes = 10 * 1024 * 1024;

/** `/account/profile`: the profile and the photo. */
export function profileRoute({ db, accounts, media }: ProfileRouteOptions): AreaPage {
  const { uploads } = media;
  const photo = { name: photoField, maxBytes: maxPhotoBytes, directory: media.storage.draftDirectory };

  async function show(visit: Visit, state: PageState = {}, status = 200): Promise<void> {
    const account = await accounts.findById(visit.session.accountId);
    if (account === undefined) return;
    const { ctx, frame } = visit;
    const page = { values: valuesOf(account), ...state };
    renderPage(ctx, <ProfilePage frame={frame} photo={photoOf(account)} isVerified={account.verified} {...page} />, {
      status,
    });
  }

  const save = createSave(accounts, show);

  async function receivePhoto(visit: Visit, form: FileForm): Promise<void> {
    const { imageProblems, account } = visit.frame.messages;
    const texts = { ...imageProblems, ...account.profile.photoErrors };
    if (form.file === undefined) return await show(visit, { errors: { photo: texts.missing } }, 422);
    const problem = await changePhoto({ db, accounts, uploads }, visit.session.accountId, form.file);
    if (problem !== undefined) {
      const { [problem]: status = 422 } = photoStatus;
      if (status === 503) visit.ctx.set('Retry-After', '5');
      return await show(visit, { errors: { photo: texts[problem] } }, status);
    }
    return redirectTo(visit.ctx, pagePaths.profile, 'photo-changed');
  }

  return {
    path: pagePaths.profile,
    show: async (visit) =>
      await show(visit, { done: findDone(visit.ctx, ['saved', 'photo-changed', 'photo-removed']) }),
    form: { stepUp: 'none', act: save },
    forms: {
      [profileActions.removePhoto]: {
        stepUp: 'none',
        act: async ({ ctx, session }) => {
          await accounts.updateProfile({ accountId: session.accountId, removesAvatar: true });
          redirectTo(ctx, pagePaths.profile, 'photo-removed');
        },
      },
    },
    upload: {
      field: photo,
      submit: receivePhoto,
      rejectTooLong: async (visit) => {
        await show(visit, { errors: { photo: visit.frame.messages.account.profile.photoErrors.tooLong } }, 413);
      },
    },
  };
}

/** Saves the form, or shows it again with its errors. */
function createSave(
  accounts: ProfileRouteOptions['accounts'],
  show: (visit: Visit, state: PageState, status: number) => Promise<void>,
): (visit: Visit, form: Form) => Promise<void> {
  return async (visit, form) => {
    const { accountId } = visit.session;
    const account = await accounts.findById(accountId);
    if (account === undefined) return;
    const { messages } = visit.frame;
    const { values, profile, errors } = readProfileForm(form, messages, valuesOf(account));
    if (profile === undefined) return await show(visit, { values, errors }, 422);
    try {
      await accounts.updateProfile({ accountId, ...profile });
    } catch (error) {
      if (!(error instanceof NameRefused)) throw error;
      const refused = {
        [error.field === 'fullName' ? 'first_name' : 'displayName']: messages.names.errors[error.problem],
      };
      return await show(visit, { values, errors: refused }, 422);
    }
    return redirectTo(visit.ctx, pagePaths.profile, 'saved');
  };
}

type PageState = Partial<Pick<ProfilePageProps, 'values' | 'errors' | 'done'>>;

function valuesOf(account: Account): ProfileValues {
  const { firstName, lastName, displayName, description, country, language } = account;
  return { first_name: firstName, last_name: lastName, displayName, description, country, language };
}

/** The photo of an account, or its generated picture. */
export function photoOf({ id, avatar }: Pick<Account, 'id' | 'avatar'>): ProfilePageProps['photo'] {
  return { src: avatar === null ? defaultAvatarPath(id) : mediaPath('thumb', avatar), isDefault: avatar === null };
}
