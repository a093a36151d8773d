import type { VNode } from 'preact';

import { sealedFormField } from '../visit/step-up.ts';
import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { CodeFields, codeErrors } from '../second-factor/second-factor-step.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { PasskeyForm } from '../../pages/views/passkey-form.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

export interface ReauthenticatePageProps {
  readonly frame: Frame;
  readonly username: string;
  /** See `sealedFormField`. */
  readonly sealedForm: string;
  /** A password is a proof, alone or with a code; true if absent. */
  readonly asksPassword?: boolean;
  /** The person has an authenticator app. */
  readonly asksCode?: boolean;
  /** Options for `navigator.credentials.get`, as JSON; undefined if the person has no passkey. */
  readonly passkeyOptions?: string | undefined;
  /** The wrong field, or another reason. */
  readonly rejection?:
    | 'password'
    | 'code'
    | 'recovery_code'
    | 'passkey'
    | 'throttled'
    | 'credentials'
    | 'second-factor'
    | undefined;
}

export function ReauthenticatePage(props: ReauthenticatePageProps): VNode {
  const { frame, username, sealedForm, asksPassword = true, passkeyOptions, rejection } = props;
  const { factors, signIn } = frame.messages;
  const { reauthenticate: texts, passkeys } = factors;
  const problems = { throttled: signIn.login.throttled, passkey: passkeys.refused } as const;
  const problem = rejection === 'throttled' || rejection === 'passkey' ? problems[rejection] : undefined;
  const errors = findErrors(props);
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.intro(<UserText strong text={`@${username}`} />)}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      {asksPassword ? <PasswordForm {...props} errors={errors} /> : null}
      {passkeyOptions === undefined ? null : (
        <PasskeyForm
          frame={frame}
          act="get"
          question={passkeyOptions}
          hidden={{ [sealedFormField]: sealedForm }}
          label={asksPassword ? passkeys.use : texts.withPasskey}
          testId="use-passkey"
        />
      )}
    </Layout>
  );
}

function findErrors({ frame, rejection }: ReauthenticatePageProps): FieldErrors<'password' | 'code' | 'recovery_code'> {
  const { reauthenticate } = frame.messages.factors;
  if (rejection === 'password') return { password: reauthenticate.passwordWrong };
  return rejection === 'code' || rejection === 'recovery_code' ? codeErrors(frame, rejection) : {};
}

type PasswordFormProps = ReauthenticatePageProps & { readonly errors: ReturnType<typeof findErrors> };

function PasswordForm({ frame, username, sealedForm, asksCode = false, errors }: PasswordFormProps): VNode {
  const { factors, signIn } = frame.messages;
  const { reauthenticate: texts } = factors;
  return (
    <PostForm frame={frame} username={username} hidden={{ [sealedFormField]: sealedForm }}>
      <TextField
        name="password"
        type="password"
        label={signIn.login.password}
        error={errors.password}
        autocomplete="current-password"
      />
      {asksCode ? <CodeFields frame={frame} errors={errors} /> : null}
      <button class="button wide" data-testid="confirm-identity">
        {texts.submit}
      </button>
    </PostForm>
  );
}
