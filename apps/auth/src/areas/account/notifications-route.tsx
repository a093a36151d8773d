import { notificationKinds } from '@linnet/contract/notifications';
import type { Queryable } from '@linnet/db/database';
import { findUnwanted, updatePreferences } from '@linnet/social/notification/notification-setting-store';

import type { AreaPage } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { NotificationsPage, notificationsDone } from './notifications-page.tsx';

/** `/account/notifications`: which notifications the person wants. */
export function notificationsRoute({ db }: { readonly db: Queryable }): AreaPage {
  return {
    path: pagePaths.notifications,
    show: async ({ ctx, frame, session }) => {
      const unwanted = await findUnwanted(db, session.accountId);
      renderPage(ctx, <NotificationsPage {...{ frame, unwanted, done: findDone(ctx, notificationsDone) }} />);
    },
    form: {
      stepUp: 'none',
      // Values that are no kind are ignored.
      act: async ({ ctx, session }, form) => {
        const chosen = new Set(form.all('kind'));
        const wanted = notificationKinds.filter((kind) => chosen.has(kind));
        const unwanted = notificationKinds.filter((kind) => !chosen.has(kind));
        await updatePreferences(db, session.accountId, { wanted, unwanted });
        redirectTo(ctx, pagePaths.notifications, 'saved');
      },
    },
  };
}
