import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { AccountLayout } from './account-layout.tsx';

export interface ExportPageProps {
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
        <p class="quiet small">{texts.links}</p>
      </section>
      <PostForm frame={frame} class="panel">
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
