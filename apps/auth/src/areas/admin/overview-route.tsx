import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { Queryable } from '@linnet/db/database';
import type { RevocationFeed } from '@linnet/revocations/feed';

import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { OverviewPage } from './overview-page.tsx';
import { findServiceState } from './overview-store.ts';

interface OverviewRouteOptions {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'status'>;
}

const eventsShown = 10;

/** `/admin`: the service at a glance. */
export function overviewRoute({ db, feed }: OverviewRouteOptions): AreaPage {
  return {
    path: pagePaths.admin,
    show: async ({ ctx, frame }) => {
      const [state, { events }] = await Promise.all([
        findServiceState(db),
        searchAuditEvents(db, {}, { limit: eventsShown }),
      ]);
      const feedSeconds = feed.status().lagSeconds;
      renderPage(ctx, <OverviewPage {...{ frame, state, feedSeconds, events }} />);
    },
  };
}
