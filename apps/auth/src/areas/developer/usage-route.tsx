import type { MyApplications } from '@linnet/applications/my-applications';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationReports } from './application-reports.ts';
import { UsagePage } from './usage-page.tsx';
import { findOwned } from './owned-application.ts';

interface UsageOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'usage' | 'endpointSums'>;
  /** How many processes share the rate limits; undefined: there are none. */
  readonly limitedProcesses: number | undefined;
}

/** `/developer/applications/:client_id/usage` (checklist DV2, as every page of an application). */
export function usageRoute({ applications, reports, limitedProcesses }: UsageOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/usage`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const [days, endpoints] = await Promise.all([reports.usage(clientId), reports.endpointSums(clientId)]);
      renderPage(ctx, <UsagePage {...{ frame, application, days, endpoints, limitedProcesses }} />);
    },
  };
}
