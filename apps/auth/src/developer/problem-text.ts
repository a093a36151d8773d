import type { ApplicationProblem } from '../applications/application.ts';
import type { Messages } from '../i18n/messages.ts';
import type { FieldErrors } from '../views/frame.ts';
import { inertText } from '../views/inert-text.ts';
import type { ApplicationField } from './application-fields.tsx';

const nameErrors = { blank: 'nameBlank', 'too-long': 'nameTooLong', unprintable: 'nameUnprintable' } as const;

/** Why an application was refused, beside its field; undefined for a problem of none, such as its owner's. */
export function problemTexts(
  messages: Messages,
  problem: ApplicationProblem,
): FieldErrors<ApplicationField> | undefined {
  const { errors } = messages.developer.form;
  switch (problem.field) {
    case 'name':
      return { name: errors[nameErrors[problem.problem]] };
    case 'scope':
      return { scope: errors.scopeUnknown(inertText(problem.value)) };
    case 'redirect_uris':
      return {
        redirect_uris:
          problem.problem === 'too-many'
            ? errors.redirectUrisTooMany
            : errors.redirectUri(inertText(problem.value), problem.problem),
      };
    case 'owner':
      return undefined;
  }
}
