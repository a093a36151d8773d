import type { MyApplications } from '@linnet/applications/my-applications';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationReports } from './application-reports.ts';
import { beforeParameter, HistoryPage } from './history-page.tsx';
import { findOwned } from './owned-application.ts';

interface HistoryOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'events'>;
}

const pageSize = 50;

/** `/developer/applications/:client_id/history` */
export function historyRoute({ applications, reports }: HistoryOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/history`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const before = readId(ctx.query[beforeParameter]);
      const found = await reports.events(application.clientId, { before, limit: pageSize + 1 });
      const props = { events: found.slice(0, pageSize), hasOlder: found.length > pageSize };
      renderPage(ctx, <HistoryPage {...{ frame, application }} {...props} />);
    },
  };
}

/** The id in `beforeParameter`. Malformed ids are ignored: the page then shows the latest events. */
export function readId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
