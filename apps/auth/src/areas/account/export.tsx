import type { ExportSource } from '@linnet/social/export/export-archive';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { sendExport } from '../../pages/send-export.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { checkPassword } from '../../sign-in/password/password-form.ts';
import type { PasswordCheckOptions } from '../../sign-in/password/password-form.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

interface ExportRouteOptions extends PasswordCheckOptions {
  readonly exportSource: ExportSource;
  readonly events: AuthEvents;
}

/** `/account/export`: everything that is stored about the account, as a file. Needs the password. */
export function exportRoute({ exportSource, events, ...check }: ExportRouteOptions): AreaPage {
  async function send({ ctx, session, event }: Visit): Promise<void> {
    if (await sendExport(ctx, exportSource, session.accountId)) events.dataExported(event);
  }

  return {
    path: pagePaths.export,
    show: async ({ ctx, frame }) => renderPage(ctx, <ExportPage frame={frame} />),
    form: {
      stepUp: 'asks-password',
      act: async (visit, form) => {
        const { ctx, frame } = visit;
        const outcome = await checkPassword(check, visit, form.text('password'));
        if (outcome === 'right') return await send(visit);
        const texts = frame.messages.account.passwordCheck;
        const props = outcome === 'throttled' ? { problem: texts.throttled } : { error: texts[outcome] };
        const status = outcome === 'throttled' ? 429 : 422;
        return renderPage(ctx, <ExportPage frame={frame} {...props} />, { status });
      },
    },
  };
}

interface ExportPageProps {
  readonly frame: Frame;
  readonly error?: string | undefined;
  /** An error that belongs to no field, such as too many attempts. */
  readonly problem?: string | undefined;
}

export function ExportPage({ frame, error, problem }: ExportPageProps): VNode {
  const { export: texts, passwordCheck } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="export" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={{ password: error }} problem={problem} />
      <section>
        <h2>{texts.contents}</h2>
        <ul class="plain">
          {texts.contentsList.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </section>
      <PostForm frame={frame} username={frame.viewer?.username} class="panel">
        <TextField
          name="password"
          type="password"
          label={passwordCheck.field}
          hint={texts.passwordHint}
          error={error}
          autocomplete="current-password"
        />
        <button class="button" data-testid="export-account">
          {texts.submit}
        </button>
      </PostForm>
    </AccountLayout>
  );
}
