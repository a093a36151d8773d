import type { MyApplications } from '@linnet/applications/my-applications';
import { renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { ActivityPage } from './activity-page.tsx';
import type { ApplicationReports } from './application-reports.ts';
import { readFilter, toFailureFilter } from './failure-filter.tsx';
import { findOwned } from './owned-application.ts';

interface ActivityOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'failures'>;
}

/** `/developer/applications/:client_id/activity`: why requests of the application failed. */
export function activityRoute({ applications, reports }: ActivityOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/activity`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const typed = readFilter(ctx);
      const filter = toFailureFilter(typed);
      const none = { list: [], hasOlder: false };
      const found = filter === undefined ? none : await reports.failures(application.clientId, filter);
      const page = <ActivityPage {...{ frame, application }} failures={{ ...found, filter: typed }} />;
      renderPage(ctx, page, { script: copyScript(frame) });
    },
  };
}
