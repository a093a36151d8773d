import type { Accounts } from '@linnet/accounts/accounts';
import { isUsername } from '@linnet/accounts/profile';

import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { UsernamePage, usernameActions } from './username-page.tsx';
import type { UsernamePageProps } from './username-page.tsx';

interface UsernameRouteOptions {
  readonly accounts: Pick<Accounts, 'findById' | 'rename' | 'isUsernameTaken'>;
  readonly baseUrl: string;
}

/** `/account/username`: checks whether a username is available, and changes it. */
export function usernameRoute({ accounts, baseUrl }: UsernameRouteOptions): AreaPage {
  async function show(visit: Visit, props: Partial<UsernamePageProps> = {}, status = 200): Promise<void> {
    const { ctx, frame, viewer, session } = visit;
    const { username } = viewer;
    const isVerified = (await accounts.findById(session.accountId))?.verified === true;
    const page = { frame, username, isVerified, address: `${baseUrl}/@${username}`, ...props };
    renderPage(ctx, <UsernamePage {...page} />, { status });
  }

  async function check(visit: Visit, wanted: string): Promise<void> {
    const { errors } = visit.frame.messages.account.username;
    const isOwn = wanted.toLowerCase() === visit.viewer.username.toLowerCase();
    if (!isOwn && (await accounts.isUsernameTaken(wanted))) await show(visit, { wanted, error: errors.taken }, 422);
    else await show(visit, { wanted, isFree: true });
  }

  async function change(visit: Visit, wanted: string): Promise<void> {
    const { errors } = visit.frame.messages.account.username;
    const outcome = await accounts.rename({ accountId: visit.session.accountId, username: wanted });
    if (outcome === undefined) return;
    if (outcome.retryAfterSeconds !== null) {
      visit.ctx.set('Retry-After', String(outcome.retryAfterSeconds));
      const from = visit.frame.messages.formatDay(new Date(Date.now() + outcome.retryAfterSeconds * 1000));
      await show(visit, { wanted, error: errors.tooMany(from) }, 429);
    } else if (outcome.isTaken) await show(visit, { wanted, error: errors.taken }, 422);
    else redirectTo(visit.ctx, pagePaths.username, 'changed');
  }

  function withUsername(act: (visit: Visit, wanted: string) => Promise<void>): AreaForm['act'] {
    return async (visit, form) => {
      // People type usernames with a leading @.
      const wanted = form.text('username').trim().replace(/^@/, '');
      const { malformed } = visit.frame.messages.account.username.errors;
      if (isUsername(wanted)) await act(visit, wanted);
      else await show(visit, { wanted, error: malformed }, 422);
    };
  }

  return {
    path: pagePaths.username,
    show: async (visit) => await show(visit, { isChanged: findDone(visit.ctx, ['changed']) !== undefined }),
    form: { stepUp: 'none', act: withUsername(change) },
    forms: { [usernameActions.check]: { stepUp: 'none', act: withUsername(check) } },
  };
}
