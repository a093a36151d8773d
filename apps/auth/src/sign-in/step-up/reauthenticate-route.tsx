import type { AreaPage } from '../visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { isRecent } from './recent-sign-in.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import { renderReauthenticatePage } from './step-up.tsx';
import type { StepUpOptions } from './step-up.tsx';

/** `/reauthenticate?return_to=`: confirms the identity before a page that is sensitive itself. */
export function reauthenticateRoute(options: StepUpOptions & { readonly baseUrl: string }): AreaPage {
  return {
    path: pagePaths.reauthenticate,
    show: async (visit) => {
      const { ctx, session } = visit;
      if (!isRecent(session)) await renderReauthenticatePage(options, visit);
      else redirectTo(ctx, parseReturnTo(ctx.query['return_to'], options.baseUrl) ?? pagePaths.account);
    },
    // `createArea` verifies the form; the redirect leads to `show`.
    form: {
      stepUp: 'none',
      act: async ({ ctx }) => redirectTo(ctx, ctx.url),
    },
  };
}
