import type { Registration } from '@linnet/accounts/account';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import { parseRegistration } from '@linnet/accounts/registration';
import { findNameTextProblem } from '@linnet/contract/name-text';
import { registrationReasonParameter } from '@linnet/contract/parameters';
import type { RegistrationProblem, RegistrationProblems } from '@linnet/accounts/registration';

import type { Form } from '../../pages/form/form.ts';
import type { Messages } from '../../pages/i18n/en/en.ts';
import type { FieldErrors } from '../../pages/frame/frame.ts';
import type { RegisterField, RegisterPageProps } from './register-page.tsx';

/** In the order of the page. */
const fields: readonly Exclude<RegisterField, 'reason' | 'invitation'>[] = [
  'first_name',
  'last_name',
  'username',
  'email',
  'password',
];

const reasonText = registrationReasonParameter();

export interface RegisterForm {
  /** As typed, for showing the form again; without the password. */
  readonly values: NonNullable<RegisterPageProps['values']>;
  /** Undefined if a field is invalid. */
  readonly registration: Registration | undefined;
  /** Why the person wants an account. */
  readonly reason: string;
  /** The code of an invitation. */
  readonly invitation: string | undefined;
  /** In the language of the page. */
  readonly errors: FieldErrors<RegisterField>;
}

/** Validates the form by the rules of the contract, and the stricter ones of our own pages. */
export function readRegisterForm(form: Form, messages: Messages): RegisterForm {
  const values = {
    first_name: form.text('first_name'),
    last_name: form.text('last_name'),
    username: form.text('username'),
    email: form.text('email'),
    invitation: form.text('invitation').trim(),
    reason: form.text('reason').replaceAll('\r\n', '\n').trim(),
  };
  const password = form.text('password');
  const email = values.email.trim();
  // Without a username, one is derived from the names.
  const username = values.username.trim() === '' ? undefined : values.username.trim();
  const { registration, problems = {} } = parseRegistration({
    first_name: values.first_name,
    last_name: values.last_name,
    email,
    password,
    ...(username === undefined ? {} : { username }),
  });
  const owner = { firstName: values.first_name.trim(), lastName: values.last_name.trim(), username, email };
  const errors = {
    ...toTexts(problems, messages),
    ...nameErrors(values, messages),
    ...(problems.password === undefined ? weaknessError(password, owner, messages) : {}),
    ...(reasonText.safeParse(values.reason).success ? {} : { reason: messages.signIn.register.errors.reason }),
  };
  const { reason, invitation } = values;
  const given = { reason, invitation: invitation === '' ? undefined : invitation };
  return { values, errors, ...given, registration: Object.keys(errors).length === 0 ? registration : undefined };
}

type NameValues = Readonly<Record<'first_name' | 'last_name', string>>;

/** What the names contain that no name may contain. Missing and long ones have problems of their own. */
function nameErrors(values: NameValues, { names }: Messages): FieldErrors<RegisterField> {
  const errorsOf = (field: keyof NameValues) => {
    const name = values[field].trim();
    const problem = name === '' ? undefined : findNameTextProblem(name);
    return problem === undefined ? {} : { [field]: names.errors[problem] };
  };
  return { ...errorsOf('first_name'), ...errorsOf('last_name') };
}

function weaknessError(
  password: string,
  owner: Parameters<typeof findPasswordWeakness>[1],
  { signIn }: Messages,
): FieldErrors<RegisterField> {
  const weakness = findPasswordWeakness(password, owner);
  if (weakness === undefined) return {};
  return { password: signIn.passwordErrors[weakness === 'common' ? 'common' : 'sameAsName'] };
}

function toTexts(problems: RegistrationProblems, messages: Messages): FieldErrors<RegisterField> {
  const texts: Partial<Record<RegisterField, string>> = {};
  for (const field of fields) {
    const problem = problems[field];
    if (problem !== undefined) texts[field] = textOf(field, problem.kind, messages);
  }
  return texts;
}

function textOf(field: (typeof fields)[number], kind: RegistrationProblem['kind'], { signIn }: Messages): string {
  const { errors } = signIn.register;
  if (field === 'first_name') return kind === 'missing' ? errors.firstNameMissing : errors.firstNameTooLong;
  if (field === 'last_name') return kind === 'missing' ? errors.lastNameMissing : errors.lastNameTooLong;
  if (field === 'username') return errors.usernameMalformed;
  if (field === 'email') return errors.emailMalformed;
  return kind === 'too-short' ? signIn.passwordErrors.tooShort : signIn.passwordErrors.tooLong;
}
