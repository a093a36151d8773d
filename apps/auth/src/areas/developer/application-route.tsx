import type { OwnedApplication } from '@linnet/applications/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import { failureKinds } from '../../protocol/failures/failure.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { submissionFields } from '../application/submission-id.ts';
import { toValues } from './application-form.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import type { ApplicationReports } from './application-reports.ts';
import { createApplicationForms } from './change-application.tsx';
import { failureKindParameter } from './failures-section.tsx';
import type { PageState } from './application-submission.ts';
import type { SettingLimits } from './setting-fields.tsx';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly reports: ApplicationReports;
  readonly settingLimits: SettingLimits;
}

/** `/developer/applications/:client_id`: 404 for everyone but the owner (checklist DV2). */
export function applicationRoute(options: ApplicationOptions): AreaPage {
  const { applications, reports } = options;
  const showPage = createShowPage(options);
  const find = async ({ session, param }: Visit) =>
    await applications.find({ ownerId: session.accountId, clientId: param('clientId') });

  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const kind = failureKinds.find((one) => one === visit.ctx.query[failureKindParameter]);
      const failures = { kind, list: await reports.failures(application.clientId, kind) };
      await showPage(visit, application, { done: findDone(visit.ctx, applicationDone), failures });
    },
    forms: createApplicationForms({ ...options, showPage, find }),
  };
}

function createShowPage({ reports, settingLimits }: Pick<ApplicationOptions, 'reports' | 'settingLimits'>) {
  return async ({ ctx, frame }: Visit, application: OwnedApplication, state: PageState): Promise<void> => {
    const { status = 200, ...changes } = state;
    const { clientId } = application;
    const usageSummary = (await reports.usageSummaries([clientId])).get(clientId);
    const now = new Date();
    const own = { frame, application, settingLimits, now, ...(usageSummary === undefined ? {} : { usageSummary }) };
    const page = (
      <ApplicationPage values={toValues(application)} {...changes} {...own} addSecretHidden={submissionFields()} />
    );
    renderPage(ctx, page, { status });
  };
}
