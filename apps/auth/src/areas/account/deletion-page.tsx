import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { Choice } from '../../pages/views/choice.tsx';
import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AccountLayout } from './account-layout.tsx';

export interface DeletionPageProps {
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
      <PostForm frame={frame} class="panel danger">
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
