import type { ProfileField } from '@linnet/accounts/profile';
import type { VNode } from 'preact';

import { ErrorSummary, FileField, TextArea, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { AccountLayout } from './account-layout.tsx';
import type { ProfileValues } from './profile-form.ts';

export const photoField = 'photo';

/** Values of the hidden field `action`; the form with the file has none. */
export const profileActions = { save: 'save', removePhoto: 'remove-photo' } as const;

export interface ProfilePageProps {
  readonly frame: Frame;
  readonly values: ProfileValues;
  readonly photo: {
    /** Path on this server. */
    readonly src: string;
    /** A generated picture, because the account has no photo. */
    readonly isDefault: boolean;
  };
  /** Changing a name ends it. */
  readonly isVerified?: boolean;
  readonly errors?: FieldErrors<ProfileField | typeof photoField>;
  readonly done?: 'saved' | 'photo-changed' | 'photo-removed' | undefined;
}

export function ProfilePage({ frame, values, photo, errors = {}, isVerified = false, done }: ProfilePageProps): VNode {
  const { profile: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="profile" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} />
      <Photo frame={frame} photo={photo} error={errors.photo} />
      <ProfileForm frame={frame} values={values} errors={errors} isVerified={isVerified} />
    </AccountLayout>
  );
}

interface PhotoProps extends Pick<ProfilePageProps, 'frame' | 'photo'> {
  readonly error: string | undefined;
}

function Photo({ frame, photo, error }: PhotoProps): VNode {
  const { profile: texts } = frame.messages.account;
  return (
    <section>
      <h2>{texts.photo}</h2>
      <div class="panel photo">
        <img
          class="avatar"
          src={photo.src}
          alt={photo.isDefault ? texts.photoDrawn : texts.photoYours}
          width={96}
          height={96}
        />
        <PostForm frame={frame} hasFile>
          <FileField
            name={photoField}
            label={texts.photoField}
            hint={texts.photoHint}
            error={error}
            accept="image/png,image/jpeg"
          />
          <button class="button quiet-button" data-testid="change-photo">
            {texts.photoSubmit}
          </button>
        </PostForm>
        {photo.isDefault ? null : (
          <PostForm frame={frame} hidden={{ action: profileActions.removePhoto }}>
            <button class="link-button" data-testid="remove-photo">
              {texts.photoRemove}
            </button>
          </PostForm>
        )}
      </div>
    </section>
  );
}

type ProfileFormProps = Required<Pick<ProfilePageProps, 'frame' | 'values' | 'errors' | 'isVerified'>>;

function ProfileForm({ frame, values, errors, isVerified }: ProfileFormProps): VNode {
  const { profile: texts } = frame.messages.account;
  const { optional } = frame.messages.form;
  const text = (name: ProfileField, autocomplete: string) => (
    <TextField
      name={name}
      label={texts.fields[name]}
      value={values[name]}
      error={errors[name]}
      autocomplete={autocomplete}
      hint={name === 'displayName' || name === 'language' ? texts.hints[name] : undefined}
      {...(name === 'country' ? { optional } : {})}
    />
  );
  return (
    <section>
      <h2>{texts.about}</h2>
      <PostForm frame={frame} hidden={{ action: profileActions.save }} class="panel">
        {isVerified ? <p data-testid="verified-notice">{frame.messages.names.changeEndsVerification}</p> : null}
        {text('displayName', 'nickname')}
        <div class="pair">
          {text('first_name', 'given-name')}
          {text('last_name', 'family-name')}
        </div>
        <TextArea
          name="description"
          label={texts.fields.description}
          hint={texts.hints.description}
          value={values.description}
          error={errors.description}
          optional={optional}
          rows={4}
          isProse
        />
        <div class="pair">
          {text('country', 'country-name')}
          {text('language', 'language')}
        </div>
        <button class="button" data-testid="save-profile">
          {texts.submit}
        </button>
      </PostForm>
    </section>
  );
}
