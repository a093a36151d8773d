import type { MyApplications } from '@linnet/applications/my-applications';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { failureKinds } from '../../protocol/failures/failure.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { ActivityPage } from './activity-page.tsx';
import type { ApplicationReports } from './application-reports.ts';
import { failureKindParameter } from './failures-section.tsx';

interface ActivityOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'failures'>;
}

/** `/developer/applications/:client_id/activity`: why requests of the application failed. */
export function activityRoute({ applications, reports }: ActivityOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/activity`,
    show: async ({ ctx, frame, session, param }) => {
      const application = await applications.find({ ownerId: session.accountId, clientId: param('clientId') });
      if (application === undefined) return;
      const kind = failureKinds.find((one) => one === ctx.query[failureKindParameter]);
      const failures = { kind, list: await reports.failures(application.clientId, kind) };
      renderPage(ctx, <ActivityPage {...{ frame, application, failures }} />);
    },
  };
}
