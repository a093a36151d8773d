import type { ApplicationProblem } from '@linnet/applications/application';
import type { Messages } from '../../pages/i18n/messages.ts';
import type { FieldErrors } from '../../pages/views/frame.ts';
import { inertText } from '@linnet/ui/inert-text';
import type { ApplicationField } from './application-fields.tsx';

/** What a page of an application shows of a refusal. */
export interface ProblemTexts {
  /** Beside the fields; several of one field stand on lines of their own. */
  readonly errors: FieldErrors<ApplicationField>;
  /** What is wrong with none of the fields. */
  readonly problem: string | undefined;
}

/** Why an application was refused, in the reader's words. */
export function problemTexts(messages: Messages, problems: readonly ApplicationProblem[]): ProblemTexts {
  const texts = new Map<ApplicationProblem['field'], string[]>();
  for (const problem of problems) {
    texts.set(problem.field, [...(texts.get(problem.field) ?? []), textOf(messages, problem)]);
  }
  const { owner, jwks, ...errors } = Object.fromEntries([...texts].map(([field, lines]) => [field, lines.join('\n')]));
  return { errors, problem: owner ?? jwks };
}

const nameErrors = { blank: 'nameBlank', 'too-long': 'nameTooLong', unprintable: 'nameUnprintable' } as const;
const scopeErrors = {
  unknown: 'scopeUnknown',
  'reason-too-long': 'scopeReasonTooLong',
  'reason-unprintable': 'scopeReasonUnprintable',
} as const;
const implicitErrors = { native: 'implicitNative', 'no-redirect-uri': 'implicitWithoutRedirectUri' } as const;

const keyErrors = {
  'not-confidential': 'jwksNotConfidential',
  'bad-address': 'jwksUriBad',
  missing: 'jwksUriMissing',
} as const;

function textOf(messages: Messages, problem: ApplicationProblem): string {
  const { errors } = messages.developer.form;
  switch (problem.field) {
    case 'name':
      return errors[nameErrors[problem.problem]];
    case 'scope':
      return errors[scopeErrors[problem.problem]](inertText(problem.value));
    case 'redirect_uris':
      return problem.problem === 'too-many'
        ? errors.redirectUrisTooMany
        : errors.redirectUri(inertText(problem.value), problem.problem);
    case 'implicit':
      return errors[implicitErrors[problem.problem]];
    case 'jwks_uri':
      return errors[keyErrors[problem.problem]];
    case 'jwks':
      return errors.jwksMalformed;
    case 'owner':
      return problem.problem === 'too-many' ? errors.tooManyApplications : messages.errors.forbidden.text;
  }
}
