import type { Accounts } from '@linnet/accounts/accounts';
import type { Account } from '@linnet/accounts/account';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import { findPasswordErrors } from '../../sign-in/password/password-form.ts';
import type { PasswordField, PasswordInput } from '../../sign-in/password/password-form.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

interface PasswordRouteOptions {
  readonly accounts: Pick<Accounts, 'changePassword' | 'findById'>;
  readonly sessions: Pick<Sessions, 'signIn'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn' | 'rememberBrowser'>;
  readonly events: AuthEvents;
}

/** `/account/password`. A change revokes every session and every consent (checklist RT8); this browser gets a new session. */
export function passwordRoute(options: PasswordRouteOptions): AreaPage {
  return {
    path: pagePaths.password,
    show: async ({ ctx, frame }) => {
      const done = findDone(ctx, ['changed', 'secured']);
      const props = { isChanged: done === 'changed', isSecured: done === 'secured' };
      renderPage(ctx, <PasswordPage frame={frame} {...props} />);
    },
    form: {
      stepUp: 'asks-password',
      act: async (visit, form) => {
        const account = await options.accounts.findById(visit.session.accountId);
        if (account === undefined) return;
        const input = { current: form.text('current_password'), next: form.text('new_password') };
        const errors = findPasswordErrors(input, account, visit.frame.messages);
        if (Object.keys(errors).length > 0) reject(visit, 422, { errors });
        else await change(options, visit, { account, input });
      },
    },
  };
}

interface Request {
  readonly account: Account;
  readonly input: PasswordInput;
}

/** Attempts count against the limits of the sign-in page (checklist UI11). */
async function change(options: PasswordRouteOptions, visit: Visit, { account, input }: Request): Promise<void> {
  const { accounts, sessions, throttle, events } = options;
  const { ctx, frame, event, session } = visit;
  const texts = frame.messages.account.password;
  const waitSeconds = await throttle.countSignIn(ctx, account.username);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    events.passwordChangeRefused({ ...event, reason: 'throttled' });
    reject(visit, 429, { problem: texts.throttled });
    return;
  }
  const isChanged = await accounts.changePassword({
    ...input,
    accountId: account.id,
    inTransaction: (tx) => revokeAllGrants(tx, account.id),
  });
  if (!isChanged) {
    events.passwordChangeRefused({ ...event, reason: 'credentials' });
    reject(visit, 422, { errors: { current_password: texts.currentWrong } });
    return;
  }
  await throttle.signedIn(ctx);
  // The person has just proved the password; a second factor of this session still counts.
  await sessions.signIn(ctx, account.id, { methods: [...new Set([...session.methods, 'pwd' as const])] });
  await throttle.rememberBrowser(ctx, account.id);
  events.passwordChanged(event);
  redirectTo(ctx, pagePaths.password, 'changed');
}

function reject({ ctx, frame }: Visit, status: 422 | 429, props: Omit<PasswordPageProps, 'frame'>): void {
  renderPage(ctx, <PasswordPage {...props} frame={frame} />, { status });
}

interface PasswordPageProps {
  readonly frame: Frame;
  readonly errors?: FieldErrors<PasswordField>;
  /** An error that belongs to no field, such as too many attempts. */
  readonly problem?: string | undefined;
  readonly isChanged?: boolean;
  /** All other access has just been ended. */
  readonly isSecured?: boolean;
}

export function PasswordPage(props: PasswordPageProps): VNode {
  const { frame, errors = {}, problem, isChanged = false, isSecured = false } = props;
  const { account, activity } = frame.messages;
  const { password: texts } = account;
  return (
    <AccountLayout frame={frame} page="password" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {isChanged ? <Notice kind="done">{texts.changed}</Notice> : null}
      {isSecured ? <Notice kind="done">{activity.notMe.done}</Notice> : null}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <PostForm frame={frame} username={frame.viewer?.username} class="panel">
        <TextField
          name="current_password"
          type="password"
          label={texts.current}
          error={errors.current_password}
          autocomplete="current-password"
        />
        <TextField
          name="new_password"
          type="password"
          label={texts.next}
          hint={texts.nextHint}
          error={errors.new_password}
          autocomplete="new-password"
        />
        <button class="button" data-testid="change-password">
          {texts.submit}
        </button>
      </PostForm>
    </AccountLayout>
  );
}
