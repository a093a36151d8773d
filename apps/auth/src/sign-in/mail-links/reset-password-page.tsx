import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

export interface ResetPasswordPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly token: string;
  readonly errors?: FieldErrors<'new_password'>;
}

export function ResetPasswordPage({ frame, username, token, errors = {} }: ResetPasswordPageProps): VNode {
  const { email, account } = frame.messages;
  const { reset: texts } = email;
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.text(<UserText strong text={`@${username}`} />)}</p>
      <ErrorSummary frame={frame} errors={errors} />
      <PostForm frame={frame} action={pagePaths.resetPassword} hidden={{ token }} testId="reset-password">
        <TextField
          name="new_password"
          type="password"
          label={texts.next}
          hint={account.password.nextHint}
          error={errors.new_password}
          autocomplete="new-password"
        />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
    </Layout>
  );
}
