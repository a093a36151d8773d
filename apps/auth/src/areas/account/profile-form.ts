import { parseProfile } from '@linnet/accounts/profile';
import type { ProfileField } from '@linnet/accounts/profile';
import { printableText } from '@linnet/ui/inert-text';

import type { Form } from '../../pages/http/form.ts';
import type { Messages } from '../../pages/i18n/messages.ts';
import type { FieldErrors } from '../../pages/views/frame.ts';

export type ProfileValues = Readonly<Record<ProfileField, string>>;

interface ProfileForm {
  /** As typed, for showing the form again. */
  readonly values: ProfileValues;
  /** Undefined if a field is invalid. */
  readonly profile: ReturnType<typeof parseProfile>['profile'];
  readonly errors: FieldErrors<ProfileField>;
}

/** Validates the form by the rules of the contract. */
export function readProfileForm(form: Form, { account }: Messages): ProfileForm {
  const values = {
    first_name: form.text('first_name'),
    last_name: form.text('last_name'),
    displayName: form.text('displayName'),
    // Browsers send line breaks as CR LF.
    description: form.text('description').replaceAll('\r\n', '\n'),
    country: form.text('country').trim(),
    language: form.text('language').trim(),
  };
  const { profile, wrong } = parseProfile(values);
  const texts = account.profile.errors;
  const errors: Partial<Record<ProfileField, string>> = {};
  for (const name of ['first_name', 'last_name', 'displayName'] as const) {
    // The contract accepts any text; a name on a page must not change the direction of the text around it.
    if (printableText(values[name]) !== values[name]) errors[name] = texts.unprintable;
    if (values[name].trim() === '') errors[name] = texts.missing[name];
  }
  for (const field of wrong ?? []) errors[field] ??= texts.wrong[field];
  return { values, errors, profile: Object.keys(errors).length === 0 ? profile : undefined };
}
