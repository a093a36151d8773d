import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

export interface ForgotPasswordPageProps {
  readonly frame: Frame;
  readonly email?: string;
  readonly errors?: FieldErrors<'email'>;
  readonly problem?: string | undefined;
  /** Shown for every address, so that the page does not reveal whether it has an account. */
  readonly isSent?: boolean;
}

export function ForgotPasswordPage({ frame, email, errors = {}, problem, isSent }: ForgotPasswordPageProps): VNode {
  const { forgot: texts } = frame.messages.email;
  const title = isSent === true ? texts.sentTitle : texts.title;
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      {isSent === true ? (
        <Notice kind="done">{texts.sentText}</Notice>
      ) : (
        <>
          <p class="lead">{texts.text}</p>
          <ErrorSummary frame={frame} errors={errors} problem={problem} />
          <PostForm frame={frame} testId="forgot-password">
            <TextField
              name="email"
              type="email"
              label={texts.email}
              value={email}
              error={errors.email}
              autocomplete="email"
            />
            <button class="button wide">{texts.submit}</button>
          </PostForm>
        </>
      )}
      <p class="aside">
        <a href={pagePaths.login}>{texts.back}</a>
      </p>
    </Layout>
  );
}
