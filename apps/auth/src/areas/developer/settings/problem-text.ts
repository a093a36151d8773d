import type { ApplicationProblem } from '@linnet/applications/application/application';
import type { Messages } from '../../../pages/i18n/en/en.ts';
import type { FieldErrors } from '../../../pages/frame/frame.ts';
import { inertText } from '@linnet/ui/inert-text';
import type { ApplicationField } from '../application/application-fields.tsx';

/** Validation problems, as a page shows them. */
export interface ProblemTexts {
  /** By field; several problems of one field are on separate lines. */
  readonly errors: FieldErrors<ApplicationField>;
  /** An error that belongs to no field. */
  readonly problem: string | undefined;
}

/** The problems of a rejected application, in the language of the page. */
export function problemTexts(messages: Messages, problems: readonly ApplicationProblem[]): ProblemTexts {
  const texts = new Map<ApplicationProblem['field'], string[]>();
  for (const problem of problems) {
    texts.set(problem.field, [...(texts.get(problem.field) ?? []), textOf(messages, problem)]);
  }
  const {
    owner,
    jwks,
    token_endpoint_auth_method: method,
    ...errors
  } = Object.fromEntries([...texts].map(([field, lines]) => [field, lines.join('\n')]));
  return { errors, problem: owner ?? jwks ?? method };
}

const nameErrors = { blank: 'nameBlank', 'too-long': 'nameTooLong' } as const;
const scopeErrors = {
  unknown: 'scopeUnknown',
  'reason-too-long': 'scopeReasonTooLong',
  'reason-unprintable': 'scopeReasonUnprintable',
} as const;
const implicitErrors = {
  native: 'implicitNative',
  'no-redirect-uri': 'implicitWithoutRedirectUri',
  strict: 'implicitStrict',
} as const;

const keyErrors = {
  'not-confidential': 'jwksNotConfidential',
  'bad-address': 'jwksUriBad',
  missing: 'jwksUriMissing',
  none: 'jwksNone',
} as const;

function nameText(
  { developer, names }: Messages,
  problem: Extract<ApplicationProblem, { readonly field: 'name' }>['problem'],
): string {
  if (problem === 'blank' || problem === 'too-long') return developer.form.errors[nameErrors[problem]];
  return names.errors[problem];
}

function redirectUriText(
  { developer: { form } }: Messages,
  problem: Extract<ApplicationProblem, { readonly field: 'redirect_uris' }>,
): string {
  if (problem.problem === 'too-many') return form.errors.redirectUrisTooMany;
  return form.errors.redirectUri(inertText(problem.value), problem.problem);
}

function textOf(messages: Messages, problem: ApplicationProblem): string {
  const { errors } = messages.developer.form;
  switch (problem.field) {
    case 'name':
      return nameText(messages, problem.problem);
    case 'scope':
      return errors[scopeErrors[problem.problem]](inertText(problem.value));
    case 'redirect_uris':
      return redirectUriText(messages, problem);
    case 'implicit':
      return errors[implicitErrors[problem.problem]];
    case 'jwks_uri':
      return errors[keyErrors[problem.problem]];
    case 'token_endpoint_auth_method':
      return messages.developer.authentication.hasSecret;
    case 'owner':
      return problem.problem === 'too-many' ? errors.tooManyApplications : messages.errors.forbidden.text;
    case 'jwks':
      return errors.jwksMalformed;
    default:
      return messages.developer.settings.problems[problem.problem](inertText(problem.value));
  }
}
