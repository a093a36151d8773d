import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import type { PasswordField } from '../../sign-in/password/password-form.ts';
import { AccountLayout } from './account-layout.tsx';

export interface PasswordPageProps {
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
      <PostForm frame={frame} class="panel">
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
