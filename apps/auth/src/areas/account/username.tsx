import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { isUsername } from '@linnet/accounts/profile';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

/** Values of the buttons, in the field `action`. */
const usernameActions = { check: 'check', change: 'change' } as const;

interface UsernamePageProps {
  readonly frame: Frame;
  readonly username: string;
  /** Address of the public profile. */
  readonly address: string;
  /** As typed. */
  readonly wanted?: string;
  readonly error?: string | undefined;
  /** `wanted` was checked and is available. */
  readonly isFree?: boolean;
  readonly isChanged?: boolean;
  /** A new username ends it. */
  readonly isVerified?: boolean;
}

export function UsernamePage(props: UsernamePageProps): VNode {
  const {
    frame,
    username,
    address,
    wanted = username,
    error,
    isFree = false,
    isChanged = false,
    isVerified = false,
  } = props;
  const { username: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="username" title={texts.title}>
      <p class="lead">{texts.intro(<UserText strong text={`@${username}`} />)}</p>
      {isChanged ? <Notice kind="done">{texts.changed}</Notice> : null}
      {isFree ? <Notice kind="done">{texts.free(<UserText strong text={wanted} />)}</Notice> : null}
      <ErrorSummary frame={frame} errors={{ username: error }} />
      <PostForm frame={frame} class="panel">
        {isVerified ? <p data-testid="verified-notice">{frame.messages.names.changeEndsVerification}</p> : null}
        <TextField
          name="username"
          label={texts.field}
          value={wanted}
          hint={texts.hint}
          error={error}
          autocomplete="username"
        />
        <div class="actions">
          <button class="button" name="action" value={usernameActions.change} data-testid="change-username">
            {texts.submit}
          </button>
          <button class="button quiet-button" name="action" value={usernameActions.check} data-testid="check-username">
            {texts.check}
          </button>
        </div>
      </PostForm>
      <section>
        <h2>{texts.consequences}</h2>
        <ul class="plain">
          <li>{texts.oldAddress(<code>{address}</code>)}</li>
          <li>{texts.oldName}</li>
          <li>{texts.limit}</li>
          <li>{texts.mentions}</li>
        </ul>
      </section>
    </AccountLayout>
  );
}

interface UsernameRouteOptions {
  readonly accounts: Pick<Accounts, 'findById' | 'rename' | 'isUsernameTaken' | 'checkWords'>;
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
    await accounts.checkWords(visit.session.accountId, wanted);
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
      const { names, account } = visit.frame.messages;
      if (!isUsername(wanted)) return await show(visit, { wanted, error: account.username.errors.malformed }, 422);
      try {
        return await act(visit, wanted);
      } catch (error) {
        if (!(error instanceof NameRefused)) throw error;
        return await show(visit, { wanted, error: names.errors[error.problem] }, 422);
      }
    };
  }

  return {
    path: pagePaths.username,
    show: async (visit) => await show(visit, { isChanged: findDone(visit.ctx, ['changed']) !== undefined }),
    form: { stepUp: 'none', act: withUsername(change) },
    forms: { [usernameActions.check]: { stepUp: 'none', act: withUsername(check) } },
  };
}
