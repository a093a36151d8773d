import { parseProfile } from '@linnet/accounts/profile';
import type { ProfileField } from '@linnet/accounts/profile';
import { findNameTextProblem, isPrintableText } from '@linnet/contract/name-text';
import type { VNode } from 'preact';

import { ErrorSummary, FileField, TextArea, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Form } from '../../pages/form/form.ts';
import type { Messages } from '../../pages/i18n/en/en.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { AccountLayout } from './account-layout.tsx';

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

const nameFields = ['first_name', 'last_name', 'displayName'] as const;

type ProfileNames = Readonly<Record<(typeof nameFields)[number], string>>;

export type ProfileValues = Readonly<Record<ProfileField, string>>;

interface ReadProfile {
  /** As typed, for showing the form again. */
  readonly values: ProfileValues;
  /** Undefined if a field is invalid. */
  readonly profile: ReturnType<typeof parseProfile>['profile'];
  readonly errors: FieldErrors<ProfileField>;
}

/** Validates the form by the rules of the contract. `current`: names that stay as they are need not follow new rules. */
export function readProfileForm(form: Form, { account, names }: Messages, current: ProfileNames): ReadProfile {
  const values = {
    first_name: form.text('first_name'),
    last_name: form.text('last_name'),
    displayName: form.text('displayName'),
    // Browsers send line breaks as CR LF.
    description: form.text('description').replaceAll('\r\n', '\n'),
    country: form.text('country').trim(),
    language: form.text('language').trim(),
  };
  const kept = nameFields.filter((name) => values[name].trim() === current[name]);
  const changed = Object.entries(values).filter(([name]) => !kept.some((field) => field === name));
  const { profile, wrong } = parseProfile(Object.fromEntries(changed));
  const texts = account.profile.errors;
  const errors: Partial<Record<ProfileField, string>> = {};
  for (const name of nameFields) {
    const problem = kept.includes(name) ? undefined : findNameTextProblem(values[name].trim());
    if (values[name].trim() === '') errors[name] = texts.missing[name];
    else if (problem !== undefined) errors[name] = names.errors[problem];
  }
  for (const field of wrong ?? []) {
    errors[field] ??= isTextUnprintable(field, values) ? names.textUnprintable : texts.wrong[field];
  }
  return { values, errors, profile: Object.keys(errors).length === 0 ? profile : undefined };
}

function isTextUnprintable(field: ProfileField, values: ProfileValues): boolean {
  return (field === 'description' || field === 'country') && !isPrintableText(values[field]);
}
