import type { ApiProblem } from '@linnet/applications/apis/api-settings';
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../../../pages/i18n/messages.ts';
import type { FieldErrors } from '../../../pages/frame/frame.ts';
import type { ApiField } from './api-form.tsx';

/** The problem of a rejected API, in the language of the page: at its field, or above all of them. */
export function apiProblemTexts(
  messages: Messages,
  problem: ApiProblem,
): { readonly errors: FieldErrors<ApiField>; readonly problem?: string } {
  if (problem.field === 'owner') return { errors: {}, problem: messages.developer.apis.errors.tooMany };
  return { errors: { [problem.field]: textOf(messages, problem) } };
}

function textOf(messages: Messages, problem: Exclude<ApiProblem, { readonly field: 'owner' }>): string {
  const { errors } = messages.developer.apis;
  switch (problem.field) {
    case 'name':
      return nameText(messages, problem.problem);
    case 'identifier':
      return errors.identifier[problem.problem];
    case 'scopes':
      return errors.scopes[problem.problem](inertText(problem.value));
    default:
      return errors.client;
  }
}

function nameText({ developer, names }: Messages, problem: Extract<ApiProblem, { readonly field: 'name' }>['problem']) {
  if (problem === 'blank') return developer.form.errors.nameBlank;
  return problem === 'too-long' ? developer.form.errors.nameTooLong : names.errors[problem];
}
