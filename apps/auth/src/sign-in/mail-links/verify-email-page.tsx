import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';

export interface VerifyEmailPageProps {
  readonly frame: Frame;
  readonly email: string;
  readonly token: string;
  /** Confirming ends everything that was set up in the account before. */
  readonly isFirstProof?: boolean;
}

/** Mail scanners open links, so only the button verifies the address. */
export function VerifyEmailPage({ frame, email, token, isFirstProof = false }: VerifyEmailPageProps): VNode {
  const { verify: texts } = frame.messages.email;
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.text(<UserText strong text={email} />)}</p>
      {isFirstProof ? <p>{texts.firstProof}</p> : null}
      <PostForm frame={frame} action={pagePaths.verifyEmail} hidden={{ token }} testId="verify-email">
        <button class="button wide">{texts.submit}</button>
      </PostForm>
    </Layout>
  );
}

interface EmailVerifiedPageProps {
  readonly frame: Frame;
  /** Everything that was set up in the account before has ended. */
  readonly isFirstProof?: boolean;
}

export function EmailVerifiedPage({ frame, isFirstProof = false }: EmailVerifiedPageProps): VNode {
  const { verify: texts, forgot } = frame.messages.email;
  return (
    <Layout frame={frame} title={texts.doneTitle} kind="card">
      <h1>{texts.doneTitle}</h1>
      <Notice kind="done">{isFirstProof ? texts.firstProofDone : texts.doneText}</Notice>
      {isFirstProof ? (
        <p>
          {texts.notYourPassword} <a href={pagePaths.forgotPassword}>{forgot.title}</a>
        </p>
      ) : null}
      <p class="aside">
        <a href={pagePaths.account}>{texts.continue}</a>
      </p>
    </Layout>
  );
}

interface InvalidLinkPageProps {
  readonly frame: Frame;
  readonly of: 'verify' | 'withdrawn' | 'reset';
}

/** For links that were used, have expired, were withdrawn, or never existed. */
export function InvalidLinkPage({ frame, of }: InvalidLinkPageProps): VNode {
  const { verify, reset } = frame.messages.email;
  const { goneTitle } = of === 'reset' ? reset : verify;
  const goneText = { verify: verify.goneText, withdrawn: verify.withdrawnText, reset: reset.goneText }[of];
  return (
    <Layout frame={frame} title={goneTitle} kind="card">
      <h1>{goneTitle}</h1>
      <Notice kind="problem">{goneText}</Notice>
      <p class="aside">
        {of === 'reset' ? (
          <a href={pagePaths.forgotPassword}>{reset.again}</a>
        ) : (
          <a href={pagePaths.email}>{verify.continue}</a>
        )}
      </p>
    </Layout>
  );
}
