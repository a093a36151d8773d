/** What the forms of an application's pages have in common. */
import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Form } from '../../pages/form/form.ts';

export interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

/** Validates and carries out a form, and redirects. */
export type Change<Options> = (options: Options, submission: Submission) => Promise<void>;

/** The application of the page, if the person owns it. */
type FindOwned = (visit: Visit) => Promise<OwnedApplication | undefined>;

export type PageWithForms = AreaPage & Required<Pick<AreaPage, 'forms'>>;

type FormRow<Options> = readonly [action: string, stepUp: AreaForm['stepUp'], change: Change<Options>];

/** The forms by their field `action`. Other people's applications are not found. */
export function toForms<Options extends { readonly find: FindOwned }>(
  options: Options,
  rows: readonly FormRow<Options>[],
): Readonly<Record<string, AreaForm>> {
  const toForm = (stepUp: AreaForm['stepUp'], change: Change<Options>): AreaForm => ({
    stepUp,
    act: async (visit, form) => {
      const application = await options.find(visit);
      if (application !== undefined) await change(options, { visit, form, application });
    },
  });
  return Object.fromEntries(rows.map(([action, stepUp, change]) => [action, toForm(stepUp, change)]));
}
