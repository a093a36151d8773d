import type { AreaPage } from '../visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { isRecent } from './recent-sign-in.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import { showQuestionAlone } from './step-up.tsx';
import type { StepUpOptions } from './step-up.tsx';

/** `/reauthenticate?return_to=`: the question before a page that is sensitive itself; who was asked lately is led on. */
export function reauthenticateRoute(options: StepUpOptions & { readonly baseUrl: string }): AreaPage {
  return {
    path: pagePaths.reauthenticate,
    show: async (visit) => {
      const { ctx, session } = visit;
      if (!isRecent(session)) await showQuestionAlone(options, visit);
      else redirectTo(ctx, parseReturnTo(ctx.query['return_to'], options.baseUrl) ?? pagePaths.account);
    },
    // The answer is taken when the form is read, and leads to the page above.
    act: async ({ ctx, readForm }) => {
      await readForm();
      redirectTo(ctx, ctx.url);
    },
    sensitive: false,
  };
}
