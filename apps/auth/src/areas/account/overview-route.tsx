import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable } from '@linnet/db/database';
import { findProtection } from '@linnet/social/follow/follow-store';

import type { AreaPage } from '../../sign-in/visit/area.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AccountPage } from './account-page.tsx';
import { countConnectedApplications } from '@linnet/applications/grants/connected-applications-store';
import { photoOf } from './profile-route.tsx';
import { countAccountSessions } from '@linnet/accounts/account-sessions-store';

interface OverviewRouteOptions {
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'findById'>;
}

/** `/account`: the account at a glance, with links to the other pages. */
export function overviewRoute({ db, accounts }: OverviewRouteOptions): AreaPage {
  return {
    path: pagePaths.account,
    show: async ({ ctx, frame, session: { accountId } }) => {
      const [account, protection, applications, sessions] = await Promise.all([
        accounts.findById(accountId),
        findProtection(db, accountId),
        countConnectedApplications(db, accountId),
        countAccountSessions(db, accountId),
      ]);
      if (account === undefined || protection === undefined) return;
      const counts = { ...protection, applications, sessions };
      renderPage(ctx, <AccountPage frame={frame} account={account} photo={photoOf(account).src} {...counts} />);
    },
  };
}
