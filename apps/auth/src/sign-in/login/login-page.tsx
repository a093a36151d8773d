import type { VNode } from 'preact';

import { TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { PasskeyForm } from '../../pages/views/passkey-form.tsx';
import type { PasswordResetNotice } from '../flow/sign-in-flow.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { UserText } from '@linnet/ui/user-text.tsx';

export interface LoginPageProps {
  readonly frame: Frame;
  /** Initial value of the field. */
  readonly login?: string | undefined;
  /** `failed` is one text for all causes (checklist UI10). */
  readonly problem?: 'failed' | 'throttled' | 'passkey' | undefined;
  /** Options for `navigator.credentials.get`, as JSON; undefined where passkeys are not possible. */
  readonly passkeyOptions?: string | undefined;
  /** The person has just reset their password by a link in mail. */
  readonly reset?: PasswordResetNotice | undefined;
  /** Link to the registration page of the same flow. */
  readonly registerHref?: string | undefined;
  /** The application that started the interaction. */
  readonly application?: { readonly name: string } | undefined;
}

export function LoginPage(props: LoginPageProps): VNode {
  const { frame, login, problem, reset, passkeyOptions, registerHref, application } = props;
  const { continueTo, login: texts } = frame.messages.signIn;
  const { forgot, reset: resetTexts } = frame.messages.email;
  const { passkeys } = frame.messages.factors;
  const problems = { failed: texts.failed, throttled: texts.throttled, passkey: passkeys.refused };
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={application !== undefined}>
      <h1>{texts.title}</h1>
      {application === undefined ? null : <p class="lead">{continueTo(<UserText strong text={application.name} />)}</p>}
      {reset === undefined ? null : (
        <Notice kind="done">{reset === 'password-reset' ? resetTexts.done : resetTexts.firstProofDone}</Notice>
      )}
      {problem === undefined ? null : <Notice kind="problem">{problems[problem]}</Notice>}
      <PostForm frame={frame}>
        <TextField name="login" label={texts.login} value={login} autocomplete="username webauthn" />
        <TextField name="password" type="password" label={texts.password} autocomplete="current-password" />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
      <p class="aside">
        <a href={pagePaths.forgotPassword}>{forgot.link}</a>
      </p>
      {passkeyOptions === undefined ? null : (
        <PasskeyForm
          frame={frame}
          act="get"
          question={passkeyOptions}
          isOffered
          label={passkeys.signIn}
          testId="passkey-sign-in"
        />
      )}
      {registerHref === undefined ? null : (
        <p class="aside">
          {texts.noAccount} <a href={registerHref}>{texts.register}</a>
        </p>
      )}
    </Layout>
  );
}
