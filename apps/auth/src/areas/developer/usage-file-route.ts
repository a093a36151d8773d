import type { MyApplications } from '@linnet/applications/my-applications';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationReports } from './application-reports.ts';
import { toCsv } from './csv.ts';
import { findOwned } from './owned-application.ts';

interface UsageFileOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'endpointDays'>;
}

/** The same in every language, because programs read them. */
const columns = ['day', 'method', 'path', 'succeeded_2xx_3xx', 'rejected_4xx', 'failed_5xx'];

/** `/developer/applications/:client_id/usage.csv`: API requests by day and endpoint, as a file (checklist DV2). */
export function usageFileRoute({ applications, reports }: UsageFileOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/usage.csv`,
    show: async (visit) => {
      const { ctx } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const rows = (await reports.endpointDays(clientId)).map(({ day, endpoint, succeeded, rejected, failed }) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return [day, method, path, succeeded, rejected, failed];
      });
      ctx.type = 'text/csv; charset=utf-8';
      ctx.attachment(`${clientId}-usage-${new Date().toISOString().slice(0, 10)}.csv`);
      ctx.set('Cache-Control', 'no-store');
      ctx.body = toCsv([columns, ...rows]);
    },
  };
}
