import type { Accounts } from '@linnet/accounts/accounts';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { Choice } from '../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

interface DeletionRouteOptions {
  readonly accounts: Pick<Accounts, 'checkDeletion' | 'delete' | 'hasPassword'>;
  readonly sessions: Pick<Sessions, 'signOut'>;
  readonly events: AuthEvents;
  /** False if wrong passwords are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

/** `/account/delete`: soft-deletes the account and revokes its sessions. Its owner can keep it by signing in within 14 days. */
export function deletionRoute({ accounts, sessions, events, isLimited }: DeletionRouteOptions): AreaPage {
  async function remove(visit: Visit, password: string): Promise<void> {
    const { accountId } = visit.session;
    const texts = visit.frame.messages.account.passwordCheck;
    const check = await accounts.checkDeletion({ accountId, password, isLimited });
    if (check.outcome === 'not-found') return;
    if (check.outcome === 'too-many-attempts') {
      visit.ctx.set('Retry-After', String(check.retryAfterSeconds));
      return show(visit, { isConfirmed: true, problem: texts.throttled }, 429);
    }
    // The epoch makes this fail if the password has changed since it was checked.
    const isDeleted = check.outcome === 'correct' && (await accounts.delete({ accountId, epoch: check.epoch }));
    if (!isDeleted) {
      const error = (await accounts.hasPassword(accountId)) ? texts.wrong : texts.none;
      return show(visit, { isConfirmed: true, errors: { password: error } }, 422);
    }
    await sessions.signOut(visit.ctx);
    events.accountDeleted(visit.event);
    return redirectTo(visit.ctx, pagePaths.logout, 'deleted');
  }

  return {
    path: pagePaths.deletion,
    show: async (visit) => show(visit),
    form: {
      stepUp: 'asks-password',
      act: async (visit, form) => {
        const isConfirmed = form.has('confirm');
        const password = form.text('password');
        const { deletion, passwordCheck } = visit.frame.messages.account;
        const errors = {
          ...(isConfirmed ? {} : { confirm: deletion.confirmMissing }),
          ...(password === '' ? { password: passwordCheck.missing } : {}),
        };
        if (Object.keys(errors).length > 0) show(visit, { isConfirmed, errors }, 422);
        else await remove(visit, password);
      },
    },
  };
}

function show({ ctx, frame, viewer }: Visit, props: Partial<DeletionPageProps> = {}, status = 200): void {
  renderPage(ctx, <DeletionPage frame={frame} username={viewer.username} {...props} />, { status });
}

interface DeletionPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly isConfirmed?: boolean;
  readonly errors?: FieldErrors<'password' | 'confirm'>;
  /** An error that belongs to no field, such as too many attempts. */
  readonly problem?: string | undefined;
}

export function DeletionPage(props: DeletionPageProps): VNode {
  const { frame, username, isConfirmed = false, errors = {}, problem } = props;
  const { deletion: texts, passwordCheck, export: exporting } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="deletion" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <section>
        <h2>{texts.consequences}</h2>
        <ul class="plain">
          {texts.consequencesList.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{texts.regret}</h2>
        <p>{texts.regretText}</p>
        <p>
          {texts.exportFirst} <a href={pagePaths.export}>{exporting.title}</a>
        </p>
      </section>
      <PostForm frame={frame} username={username} class="panel danger">
        <Choice
          type="checkbox"
          name="confirm"
          value="1"
          label={texts.confirm(<UserText strong text={`@${username}`} />)}
          checked={isConfirmed}
          error={errors.confirm}
        />
        <TextField
          name="password"
          type="password"
          label={passwordCheck.field}
          error={errors.password}
          autocomplete="current-password"
        />
        <div class="actions">
          <button class="button danger-button" data-testid="delete-account">
            {texts.submit}
          </button>
          <a class="button quiet-button" href={pagePaths.account}>
            {texts.keep}
          </a>
        </div>
      </PostForm>
    </AccountLayout>
  );
}
