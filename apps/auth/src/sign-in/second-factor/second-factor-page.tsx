import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

export interface SecondFactorPageProps {
  readonly frame: Frame;
  readonly problem?: 'wrong' | 'throttled' | undefined;
  readonly loginHref: string;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Asks for a code after the password; the field accepts recovery codes too. */
export function SecondFactorPage({ frame, problem, loginHref, isStep = false }: SecondFactorPageProps): VNode {
  const { factors, signIn } = frame.messages;
  const { secondFactor: texts } = factors;
  const wrong = problem === 'wrong' ? texts.wrong : undefined;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <ErrorSummary
        frame={frame}
        errors={{ code: wrong }}
        problem={problem === 'throttled' ? signIn.login.throttled : undefined}
      />
      <PostForm frame={frame}>
        <TextField name="code" label={texts.code} hint={texts.codeHint} error={wrong} autocomplete="one-time-code" />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
      <p class="aside">
        <a href={loginHref}>{texts.back}</a>
      </p>
    </Layout>
  );
}

interface RecoveryCodeUsedPageProps {
  readonly frame: Frame;
  readonly codesLeft: number;
  /** Where the sign-in leads. */
  readonly continueTo: string;
  readonly isStep?: boolean;
}

/** Shown after a sign-in with a recovery code: says how many are left. */
export function RecoveryCodeUsedPage(props: RecoveryCodeUsedPageProps): VNode {
  const { frame, codesLeft, continueTo, isStep = false } = props;
  const { secondFactor: texts } = frame.messages.factors;
  return (
    <Layout frame={frame} title={texts.recoveryUsed} kind="card" isStep={isStep}>
      <h1>{texts.recoveryUsed}</h1>
      <Notice kind="warning">{texts.recoveryLeft(codesLeft)}</Notice>
      <p>{texts.recoveryAdvice}</p>
      <p>
        <a class="button wide" href={continueTo}>
          {texts.continue}
        </a>
      </p>
      {isStep ? null : (
        <p class="aside">
          <a href={pagePaths.security}>{texts.toSecurity}</a>
        </p>
      )}
    </Layout>
  );
}
