import type { MyApplications } from '@linnet/applications/my-applications';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { findDone, renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { submissionFields } from '../application/submission-id.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import type { ApplicationReports } from './application-reports.ts';
import type { PageWithForms } from './application-submission.ts';
import { findOwned } from './owned-application.ts';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'usageSummaries' | 'recentFailures'>;
  /** Those of the credentials and the danger zone. Programs send them to the overview. */
  readonly forms: PageWithForms['forms'];
}

/** `/developer/applications/:client_id`: 404 for everyone but the owner (checklist DV2). */
export function applicationRoute({ baseUrl, applications, reports, forms }: ApplicationOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const [usageSummaries, recentFailures] = await Promise.all([
        reports.usageSummaries([clientId]),
        reports.recentFailures(clientId),
      ]);
      const usageSummary = usageSummaries.get(clientId);
      const own = { frame, baseUrl, application, now: new Date(), usageSummary, recentFailures };
      const page = (
        <ApplicationPage {...own} done={findDone(ctx, applicationDone)} addSecretHidden={submissionFields()} />
      );
      renderPage(ctx, page, { script: copyScript(frame) });
    },
    forms,
  };
}
