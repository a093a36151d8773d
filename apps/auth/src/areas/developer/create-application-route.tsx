import { ApplicationRefused } from '@linnet/applications/application/application';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { readSubmissionId, submissionFields } from '../application/submission-id.ts';
import { readKind, readNewSettings, readValues, typeOf } from './application-form.ts';
import type { ApplicationKind } from './application-form.ts';
import type { ApplicationDone } from './application-page.tsx';
import { CreateApplicationPage } from './create-application-page.tsx';
import type { CreateApplicationPageProps } from './create-application-page.tsx';
import { NewCredentialsPage } from './new-credentials-page.tsx';
import { newApplicationValues } from './new-application-fields.tsx';
import type { NewApplicationValues } from './new-application-fields.tsx';
import { problemTexts } from './problem-text.ts';
import type { SettingLimits } from './setting-fields.tsx';

interface CreateApplicationOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'at'>;
  readonly events: AuthEvents;
  readonly settingLimits: SettingLimits;
}

/** `/developer/applications/new`: the response to its form shows the secret, only once (checklist CA3). */
export function createApplicationRoute(options: CreateApplicationOptions): AreaPage {
  const { baseUrl, applications, events, settingLimits } = options;
  return {
    path: pagePaths.createApplication,
    show: async ({ ctx, frame }) => {
      renderPage(ctx, <CreateApplicationPage {...{ frame, settingLimits }} hidden={submissionFields()} />);
    },
    form: { stepUp: 'recent', act: create },
  };

  async function create(visit: Visit, form: Form): Promise<void> {
    const { ctx, frame, session } = visit;
    const kind = readKind(form);
    if (kind === undefined) {
      const errors = { type: frame.messages.developer.form.errors.typeMissing };
      reject(visit, { settingLimits, values: valuesOf(form, newApplicationValues.kind), errors });
      return;
    }
    try {
      const request = {
        ...readNewSettings(form, kind),
        type: typeOf(kind),
        ownerId: session.accountId,
        submissionId: readSubmissionId(form),
      };
      const outcome = await applications.at(visit.sessionDb).create(request);
      if (outcome.kind === 'repeated') {
        redirectTo(ctx, pagePaths.application(outcome.clientId), 'already-created' satisfies ApplicationDone);
        return;
      }
      const { application } = outcome;
      const { clientId, clientSecret } = application;
      events.applicationCreated({ ...visit.event, clientId });
      const props = { frame, baseUrl, application, clientSecret, hasOwnKeys: request.jwksUri !== '' };
      renderPage(ctx, <NewCredentialsPage {...props} occasion="created" />, { script: copyScript(frame) });
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      reject(visit, { settingLimits, values: valuesOf(form, kind), ...problemTexts(frame.messages, error.problems) });
    }
  }
}

/** The form as typed, for showing it again. */
function valuesOf(form: Form, kind: ApplicationKind): NewApplicationValues {
  return { ...readValues(form, typeOf(kind)), kind };
}

function reject({ ctx, frame }: Visit, props: Omit<CreateApplicationPageProps, 'frame' | 'hidden'>): void {
  renderPage(ctx, <CreateApplicationPage {...props} frame={frame} hidden={submissionFields()} />, { status: 422 });
}
