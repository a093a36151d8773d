import type { Queryable } from '@linnet/db/database';

import type { AuthEvents } from '../events.ts';
import type { AreaPage } from '../http/area.ts';
import { findDone, goOn } from '../http/done.ts';
import { renderPage } from '../http/render.tsx';
import { pagePaths } from '../views/page-paths.ts';
import { ApplicationsPage } from './applications-page.tsx';
import { disconnectApplication, findConnectedApplications } from './connected-applications-store.ts';

interface ApplicationsRouteOptions {
  readonly db: Queryable;
  readonly events: AuthEvents;
  /** Hears of applications that no longer act as their owner; resolves when token requests see it. */
  readonly changed: (clientId: string) => Promise<void>;
}

/** `/account/applications`: what may use the account, and how to end it (checklist UI7). */
export function applicationsRoute({ db, events, changed }: ApplicationsRouteOptions): AreaPage {
  return {
    path: pagePaths.connectedApplications,
    show: async ({ ctx, frame, session }) => {
      const applications = await findConnectedApplications(db, session.accountId);
      const isDisconnected = findDone(ctx, ['disconnected']) !== undefined;
      renderPage(ctx, <ApplicationsPage {...{ frame, applications, isDisconnected }} />);
    },
    sensitive: false,
    act: async ({ ctx, session, event, readForm }) => {
      const clientId = (await readForm()).text('client_id');
      if (await disconnectApplication(db, session.accountId, clientId)) {
        await changed(clientId);
        events.applicationDisconnected({ ...event, clientId });
      }
      goOn(ctx, pagePaths.connectedApplications, 'disconnected');
    },
  };
}
