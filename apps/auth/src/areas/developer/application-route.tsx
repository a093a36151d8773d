import type { OwnedApplication } from '@linnet/applications/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { copyScript } from '../../pages/views/copyable.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { submissionFields } from '../application/submission-id.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import type { ApplicationReports } from './application-reports.ts';
import { createApplicationForms } from './change-application.tsx';
import type { PageState } from './application-submission.ts';
import { findOwned } from './owned-application.ts';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly reports: ApplicationReports;
}

/** `/developer/applications/:client_id`: 404 for everyone but the owner (checklist DV2). */
export function applicationRoute(options: ApplicationOptions): AreaPage {
  const { applications } = options;
  const showPage = createShowPage(options);
  const find = async (visit: Visit) => await findOwned(applications, visit);

  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      await showPage(visit, application, { done: findDone(visit.ctx, applicationDone) });
    },
    forms: createApplicationForms({ ...options, showPage, find }),
  };
}

function createShowPage({ baseUrl, reports }: Pick<ApplicationOptions, 'baseUrl' | 'reports'>) {
  return async ({ ctx, frame }: Visit, application: OwnedApplication, state: PageState): Promise<void> => {
    const { status = 200, ...changes } = state;
    const { clientId } = application;
    const [usageSummaries, recentFailures] = await Promise.all([
      reports.usageSummaries([clientId]),
      reports.recentFailures(clientId),
    ]);
    const usageSummary = usageSummaries.get(clientId);
    const own = {
      frame,
      baseUrl,
      application,
      now: new Date(),
      recentFailures,
      ...(usageSummary === undefined ? {} : { usageSummary }),
    };
    const page = <ApplicationPage {...changes} {...own} addSecretHidden={submissionFields()} />;
    renderPage(ctx, page, { status, script: copyScript(frame) });
  };
}
