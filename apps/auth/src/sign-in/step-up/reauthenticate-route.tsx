import type { AreaPage } from '../visit/area.ts';
import { redirectTo } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import { isStale, renderReauthenticatePage } from './step-up.tsx';
import type { StepUpOptions } from './step-up.tsx';

interface ReauthenticateOptions extends StepUpOptions {
  readonly baseUrl: string;
  /** Where it leads without `return_to`. */
  readonly next?: string;
}

/** `/reauthenticate?return_to=`: confirms the identity before a page that is sensitive itself. */
export function reauthenticateRoute(options: ReauthenticateOptions): AreaPage {
  const { path = pagePaths.reauthenticate, next = pagePaths.account } = options;
  return {
    path,
    show: async (visit) => {
      const { ctx, session } = visit;
      if (isStale(options, session)) await renderReauthenticatePage(options, visit);
      else redirectTo(ctx, parseReturnTo(ctx.query['return_to'], options.baseUrl) ?? next);
    },
    // `createArea` verifies the form; the redirect leads to `show`.
    form: {
      stepUp: 'none',
      act: async ({ ctx }) => redirectTo(ctx, ctx.url),
    },
  };
}
