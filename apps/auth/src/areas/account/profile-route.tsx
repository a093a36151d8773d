import type { Account } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import type { Media } from '@linnet/media/media';
import { mediaPath } from '@linnet/media/media-address';
import { defaultAvatarPath } from '@linnet/social/account/default-avatar';

import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
import type { FileForm } from '../../pages/http/file-form.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { changePhoto, photoStatus } from './photo.ts';
import { readProfileForm } from './profile-form.ts';
import type { ProfileValues } from './profile-form.ts';
import { ProfilePage, photoField, profileActions } from './profile-page.tsx';
import type { ProfilePageProps } from './profile-page.tsx';

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
    renderPage(ctx, <ProfilePage frame={frame} photo={photoOf(account)} {...page} />, { status });
  }

  async function receivePhoto(visit: Visit, form: FileForm): Promise<void> {
    const texts = visit.frame.messages.account.profile.photoErrors;
    if (form.file === undefined) return await show(visit, { errors: { photo: texts.missing } }, 422);
    const problem = await changePhoto({ db, accounts, uploads }, visit.session.accountId, form.file);
    if (problem !== undefined) return await show(visit, { errors: { photo: texts[problem] } }, photoStatus[problem]);
    return redirectTo(visit.ctx, pagePaths.profile, 'photo-changed');
  }

  async function save(visit: Visit, form: Form): Promise<void> {
    const { values, profile, errors } = readProfileForm(form, visit.frame.messages);
    if (profile === undefined) return await show(visit, { values, errors }, 422);
    await accounts.updateProfile({ accountId: visit.session.accountId, ...profile });
    return redirectTo(visit.ctx, pagePaths.profile, 'saved');
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

type PageState = Partial<Pick<ProfilePageProps, 'values' | 'errors' | 'done'>>;

function valuesOf(account: Account): ProfileValues {
  const { firstName, lastName, displayName, description, country, language } = account;
  return { first_name: firstName, last_name: lastName, displayName, description, country, language };
}

/** The photo of an account, or its generated picture. */
export function photoOf({ id, avatar }: Pick<Account, 'id' | 'avatar'>): ProfilePageProps['photo'] {
  return { src: avatar === null ? defaultAvatarPath(id) : mediaPath('thumb', avatar), isDefault: avatar === null };
}
