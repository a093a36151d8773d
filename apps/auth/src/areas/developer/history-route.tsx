import type { MyApplications } from '@linnet/applications/my-applications';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationFigures } from './application-figures.ts';
import { beforeParameter, HistoryPage } from './history-page.tsx';

interface HistoryOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly figures: Pick<ApplicationFigures, 'events'>;
}

const pageSize = 50;

/** `/developer/applications/:client_id/history` */
export function historyRoute({ applications, figures }: HistoryOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/history`,
    show: async ({ ctx, frame, session, param }) => {
      const application = await applications.find({ ownerId: session.accountId, clientId: param('clientId') });
      if (application === undefined) return;
      const before = readId(ctx.query[beforeParameter]);
      const found = await figures.events(application.clientId, { before, limit: pageSize + 1 });
      const shown = { events: found.slice(0, pageSize), hasOlder: found.length > pageSize };
      renderPage(ctx, <HistoryPage {...{ frame, application }} {...shown} />);
    },
  };
}

/** Whatever is no id asks for the latest. */
function readId(given: unknown): number | undefined {
  const id = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
