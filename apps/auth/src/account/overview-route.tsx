import type { Accounts } from '@linnet/accounts/accounts';

import type { AreaPage } from '../http/area.ts';
import { renderPage } from '../http/render.tsx';
import { pagePaths } from '../views/page-paths.ts';
import { AccountPage } from './account-page.tsx';

/** `/account`: who one is here, and the way to the rest. */
export function overviewRoute(accounts: Pick<Accounts, 'findById'>): AreaPage {
  return {
    path: pagePaths.account,
    show: async ({ ctx, frame, session }) => {
      const account = await accounts.findById(session.accountId);
      if (account !== undefined) renderPage(ctx, <AccountPage frame={frame} account={account} />);
    },
  };
}
