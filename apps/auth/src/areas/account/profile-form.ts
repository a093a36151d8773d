import { parseProfile } from '@linnet/accounts/profile';
import type { ProfileField } from '@linnet/accounts/profile';
import { findNameTextProblem, isPrintableText } from '@linnet/contract/name-text';

import type { Form } from '../../pages/form/form.ts';
import type { Messages } from '../../pages/i18n/en/en.ts';
import type { FieldErrors } from '../../pages/frame/frame.ts';

const nameFields = ['first_name', 'last_name', 'displayName'] as const;

type ProfileNames = Readonly<Record<(typeof nameFields)[number], string>>;

export type ProfileValues = Readonly<Record<ProfileField, string>>;

interface ProfileForm {
  /** As typed, for showing the form again. */
  readonly values: ProfileValues;
  /** Undefined if a field is invalid. */
  readonly profile: ReturnType<typeof parseProfile>['profile'];
  readonly errors: FieldErrors<ProfileField>;
}

/** Validates the form by the rules of the contract. `current`: names that stay as they are need not follow new rules. */
export function readProfileForm(form: Form, { account, names }: Messages, current: ProfileNames): ProfileForm {
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
